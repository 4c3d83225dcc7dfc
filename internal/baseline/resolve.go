package baseline

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
)

// maxLinks bounds the links that are followed for one path, as Linux does.
const maxLinks = 40

// lookup returns what stands at name; at the end of a link there, if follow is set.
func (t *Tree) lookup(op, name string, follow bool) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, pathError(op, name, fs.ErrInvalid)
	}
	n, err := t.walk(strings.Split(name, "/"), follow)
	if err != nil {
		return nil, pathError(op, name, err)
	}
	return n, nil
}

// walk goes along the steps from the top of the tree.
func (t *Tree) walk(rest []string, follow bool) (*node, error) {
	way := []*node{t.root}
	for links := 0; len(rest) > 0; {
		at, step := way[len(way)-1], rest[0]
		rest = rest[1:]
		switch next := at.child(step); {
		case at.kind != fs.ModeDir:
			return nil, fs.ErrNotExist
		case step == "" || step == ".":
		case step == ".." && len(way) == 1:
			return nil, errEscapes
		case step == "..":
			way = way[:len(way)-1]
		case next == nil:
			return nil, fs.ErrNotExist
		case next.kind == fs.ModeSymlink && (follow || len(rest) > 0):
			if links++; links > maxLinks {
				return nil, errLoop
			}
			steps, err := next.steps()
			if err != nil {
				return nil, err
			}
			rest = append(steps, rest...)
		default:
			way = append(way, next)
		}
	}
	return way[len(way)-1], nil
}

func (n *node) child(name string) *node {
	children := n.below()
	i, found := slices.BinarySearchFunc(children, name, func(c *node, name string) int { return cmp.Compare(c.name, name) })
	if !found {
		return nil
	}
	return children[i]
}

// below returns what a folder holds, by name.
func (n *node) below() []*node {
	if n.within != nil {
		return n.within()
	}
	return n.children
}

// steps returns where a link leads from its folder.
func (n *node) steps() ([]string, error) {
	target, err := n.target()
	switch {
	case err != nil:
		return nil, err
	case target == "":
		return nil, fs.ErrNotExist
	case target[0] == '/':
		return nil, errEscapes
	}
	return strings.Split(target, "/"), nil
}
