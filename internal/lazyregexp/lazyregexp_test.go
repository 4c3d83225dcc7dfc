package lazyregexp

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestExpressionsCompile compiles every expression of the program: a wrong one shows only when it is first used. Of one that is put
// together from parts it compiles those that the code has.
func TestExpressionsCompile(t *testing.T) {
	compiled := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("lazyregexp")) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isNew(call.Fun) {
				return true
			}
			compiled++
			if expr := literals(call.Args[0]); expr != "" {
				if _, err := regexp.Compile(expr); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || compiled < 50 {
		t.Errorf("found %d expressions, want at least 50: %v", compiled, err)
	}
}

// isNew reports whether a function is New of this package.
func isNew(fun ast.Expr) bool {
	called, ok := fun.(*ast.SelectorExpr)
	if !ok || called.Sel.Name != "New" {
		return false
	}
	from, ok := called.X.(*ast.Ident)
	return ok && from.Name == "lazyregexp"
}

// literals joins the texts of an expression.
func literals(e ast.Expr) (text string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			part, _ := strconv.Unquote(literal.Value)
			text += part
		}
		return true
	})
	return text
}
