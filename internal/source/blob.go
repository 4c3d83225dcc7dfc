package source

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// BlobSum returns git's name for content of the given size in bytes. The name has the kind of the name like.
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
