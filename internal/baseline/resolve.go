package baseline

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
)

// maxLinks bounds the links that are followed for one path. The next one is an error, as in Linux.
const maxLinks = 40

// lookup returns the node at name; if follow is set, the node at the end of a link.
func (t *Tree) lookup(op, name string, follow bool) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, pathError(op, name, fs.ErrInvalid)
	}
	n, _, err := t.followPath(name, follow)
	if err != nil {
		return nil, pathError(op, name, err)
	}
	return n, nil
}

// followPath follows the steps of a name from the top of the tree, and counts the links on the way.
func (t *Tree) followPath(name string, follow bool) (at *node, links int, err error) {
	way := []*node{t.root}
	for rest := strings.Split(name, "/"); len(rest) > 0; {
		at, step := way[len(way)-1], rest[0]
		rest = rest[1:]
		next, err := at.childNamed(step)
		switch {
		case err != nil:
			return nil, links, err
		case at.kind != fs.ModeDir:
			return nil, links, fs.ErrNotExist
		case step == "" || step == ".":
		case step == ".." && len(way) == 1:
			return nil, links, errEscapes
		case step == "..":
			way = way[:len(way)-1]
		case next == nil:
			return nil, links, fs.ErrNotExist
		case next.kind == fs.ModeSymlink && (follow || len(rest) > 0):
			if links++; links > maxLinks {
				return nil, links, errLoop
			}
			steps, err := next.linkSteps()
			if err != nil {
				return nil, links, err
			}
			rest = append(steps, rest...)
		default:
			way = append(way, next)
		}
	}
	return way[len(way)-1], links, nil
}

// childNamed returns the node with a name in a folder; nil if there is none.
func (n *node) childNamed(name string) (*node, error) {
	children, err := n.listChildren()
	i, found := slices.BinarySearchFunc(children, name, func(c *node, name string) int { return cmp.Compare(c.name, name) })
	if !found {
		return nil, err
	}
	return children[i], nil
}

func (n *node) listChildren() ([]*node, error) {
	switch {
	case n.load != nil:
		return n.load()
	case n.within != nil:
		return n.within(), nil
	}
	return n.children, nil
}

func (n *node) linkSteps() ([]string, error) {
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
