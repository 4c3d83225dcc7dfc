package git

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ErrNoRevision means that a repository has nothing with the name of the revision.
var ErrNoRevision = errors.New("there is no such revision")

// Revision is a commit that a user has named.
type Revision struct {
	Hash string
	Ref  string // full name of the reference if the user named one, such as refs/heads/main; otherwise ""
}

// Resolve returns the commit of a revision: a hash or its unique beginning, a reference by its full name or by a part
// of it that git accepts, or @ for HEAD. These can be followed by ~N for the Nth commit along the first parents, ^N for
// the Nth parent, and ^0, ^{} and ^{commit} for the commit of a tag. [ErrNoRevision] means that nothing has the name.
func (o *Objects) Resolve(expression string) (Revision, error) {
	name, steps := expression, ""
	if end := strings.IndexAny(expression, "^~"); end >= 0 {
		name, steps = expression[:end], expression[end:]
	}
	if err := o.refuseUnsupported(expression); err != nil {
		return Revision{}, err
	}
	rev, err := o.revisionNamed(name)
	if err != nil {
		return Revision{}, err
	}
	if rev.Hash, err = o.followTags(rev.Hash); err != nil || steps == "" {
		return rev, err
	}
	hash, err := o.followSteps(rev.Hash, steps)
	return Revision{Hash: hash}, err
}

// refuseUnsupported refuses expressions that git reads and this program does not. It does not refuse invalid names: a
// file may have such a name.
func (o *Objects) refuseUnsupported(expression string) error {
	for _, form := range []string{"@{", "^{/", ":/", "^{tree}", "^@", "^!", "^-"} {
		if strings.Contains(expression, form) {
			return fmt.Errorf("revisions with %q are not read; name a branch, a tag or a commit, with ~N or ^N behind it", form)
		}
	}
	if rev, file, ok := strings.Cut(expression, ":"); ok && rev != "" && file != "" {
		if _, err := o.Resolve(rev); err == nil {
			return errors.New("names a file in a revision, expected a revision")
		}
	}
	return nil
}

var (
	digits    = regexp.MustCompile(`^[0-9a-fA-F]{4,}$`)
	described = regexp.MustCompile(`^.+-[0-9]+-g([0-9a-fA-F]{4,})$`) // the output of git describe
)

// revisionNamed returns the revision with a name: a full hash, a reference, or the only commit whose hash begins with the name.
func (o *Objects) revisionNamed(name string) (Revision, error) {
	if len(name) == 2*o.repository.hashSize && digits.MatchString(name) {
		return Revision{Hash: strings.ToLower(name)}, nil
	}
	if name == "@" {
		name = "HEAD"
	}
	found, err := o.repository.refsNamed(name)
	if err != nil {
		return Revision{}, err
	}
	if m := described.FindStringSubmatch(name); m != nil && len(found) == 0 {
		name = m[1]
	}
	// A branch may have a name such as 2026, and in a large repository some hash begins with it.
	if len(found) == 0 || len(name) >= minAbbreviation {
		hash, err := o.findAbbreviated(strings.ToLower(name))
		if err == nil {
			found = append(found, Revision{Hash: hash})
		} else if !errors.Is(err, errNoRef) {
			return Revision{}, err
		}
	}
	if len(found) == 0 {
		return Revision{}, ErrNoRevision
	}
	return o.oneCommit(found)
}

// minAbbreviation is the smallest number of digits to which git shortens a hash by default.
const minAbbreviation = 7

// oneCommit returns the first of the revisions that a name means. If they are not all the same commit, it returns an
// error: a person who pushes a tag, or chooses the name of a branch, must not choose the base of a comparison.
func (o *Objects) oneCommit(found []Revision) (Revision, error) {
	if len(found) == 1 {
		return found[0], nil
	}
	first, err := o.followTags(found[0].Hash)
	if err != nil {
		return Revision{}, err
	}
	for _, other := range found[1:] {
		if hash, err := o.followTags(other.Hash); err != nil || hash != first {
			return Revision{}, fmt.Errorf("is %s and %s, which differ; write one of them in full",
				cmp.Or(found[0].Ref, found[0].Hash), cmp.Or(other.Ref, other.Hash))
		}
	}
	return found[0], nil
}

// findAbbreviated returns the only object that begins with the digits and is a commit or the tag of a commit.
func (o *Objects) findAbbreviated(beginning string) (string, error) {
	if len(beginning) >= 2*o.repository.hashSize || !digits.MatchString(beginning) {
		return "", errNoRef
	}
	o.mu.Lock()
	hashes, err := o.hashesWithPrefix(beginning)
	o.mu.Unlock()
	if err != nil {
		return "", err
	}
	found := ""
	for _, hash := range hashes {
		if _, err := o.followTags(hash); err != nil {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("begins the hashes of %s and %s, expected more digits", found, hash)
		}
		found = hash
	}
	if found == "" {
		return "", errNoRef
	}
	return found, nil
}

var stepForm = regexp.MustCompile(`^(?:\^\{(?:commit)?\}|([~^])([0-9]*))`)

// followSteps follows steps such as "~2^" from a commit.
func (o *Objects) followSteps(hash, steps string) (string, error) {
	ends, err := o.repository.shallowEnds()
	if err != nil {
		return "", err
	}
	for steps != "" {
		m := stepForm.FindStringSubmatch(steps)
		if m == nil {
			return "", ErrNoRevision
		}
		steps = steps[len(m[0]):]
		if hash, err = o.followStep(hash, m[1], m[2], ends); err != nil {
			return "", err
		}
	}
	return hash, nil
}

// followStep follows a step to a parent ("^" and its number) or to an ancestor ("~" and its distance).
func (o *Objects) followStep(hash, sign, digits string, ends map[string]bool) (string, error) {
	n := 1
	if digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			return "", ErrNoRevision
		}
	}
	if sign == "" || n == 0 {
		return hash, nil
	}
	times, parent := 1, n
	if sign == "~" {
		times, parent = n, 1
	}
	for range times {
		c, err := o.Commit(hash)
		switch {
		case err != nil:
			return "", err
		case ends[hash]:
			return "", fmt.Errorf("the clone is shallow and ends at %s", hash)
		case parent > len(c.Parents):
			return "", ErrNoRevision
		}
		hash = c.Parents[parent-1]
	}
	return hash, nil
}
