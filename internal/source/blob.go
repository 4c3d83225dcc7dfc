package source

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// BlobSum returns git's hash of content with size bytes. It is of the same kind as the hash like: SHA-1 or SHA-256.
func BlobSum(content io.Reader, size int64, like string) (string, error) {
	sum := sha1.New()
	if len(like) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", size) // a hash never fails
	if _, err := io.Copy(sum, content); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
