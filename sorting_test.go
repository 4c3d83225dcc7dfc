package layout_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// sorters are the functions of package slices that have a copy of the sorting code for each type of element.
var sorters = []string{"SortFunc", "SortStableFunc", "SortedFunc", "SortedStableFunc"}

// maySort lists the packages that use them.
var maySort = []string{
	"internal/sorting", // its sort has one type of element
}

// TestSorting holds the size of the program: it sorts with package sorting, and not with that of package slices.
func TestSorting(t *testing.T) {
	for _, dir := range []string{"cmd", "internal"} {
		err := fs.WalkDir(os.DirFS("."), dir, func(name string, entry fs.DirEntry, err error) error {
			program := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
			if err == nil && program && !slices.Contains(maySort, path.Dir(name)) {
				checkSorting(t, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func checkSorting(t *testing.T, name string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(sorters, s.Sel.Name) {
			if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "slices" {
				t.Errorf("%s: use sorting.Stable or sorting.Collect: slices.%s adds some 6 kB to the program for each type of element",
					files.Position(n.Pos()), s.Sel.Name)
			}
		}
		return true
	})
}
