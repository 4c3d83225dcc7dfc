package layout_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// drawnFunction is a function of the drawing in ARCHITECTURE.md: package, receiver and name.
var drawnFunction = regexp.MustCompile(`^( *)([a-z]+)\.(?:([A-Za-z]+)\.)?([A-Za-z]+)(?: {2,}.*)?$`)

// TestDrawing holds the drawing of the way of a cassette against the code: each function is there, and calls those that are drawn
// under it, in that order.
func TestDrawing(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```")
	var caller *ast.FuncDecl
	var callerName string
	var after token.Pos
	drawn := 0
	for _, line := range strings.Split(blocks[3], "\n") {
		m := drawnFunction.FindStringSubmatch(line)
		if m == nil {
			if line != "" {
				t.Errorf("%q is not a function of the drawing, expected PACKAGE.NAME or PACKAGE.TYPE.NAME", line)
			}
			continue
		}
		drawn++
		decl := declaration(t, m[2], m[3], m[4])
		if decl == nil {
			t.Errorf("%s: the function does not exist", strings.TrimSpace(line))
			continue
		}
		if m[1] == "" {
			caller, callerName, after = decl, strings.Fields(line)[0], decl.Pos()
			continue
		}
		if after = callAfter(caller, m[4], after); after == token.NoPos {
			t.Fatalf("%s does not call %s after those that are drawn before it", callerName, strings.Fields(line)[0])
		}
	}
	if drawn < 20 {
		t.Errorf("the drawing has %d functions", drawn)
	}
}

// declaration returns a function of a package below internal; nil where there is none.
func declaration(t *testing.T, pkg, receiver, name string) *ast.FuncDecl {
	t.Helper()
	files, err := filepath.Glob("internal/" + pkg + "/*.go")
	below, _ := filepath.Glob("internal/*/" + pkg + "/*.go") // the pattern is well-formed
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, below...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && receiverOf(f) == receiver {
				return f
			}
		}
	}
	return nil
}

// receiverOf returns the type of a method's receiver; "" for a function.
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if ident, ok := typ.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

// callAfter returns the place of the first call of a name in a function after a place; NoPos where there is none.
func callAfter(f *ast.FuncDecl, name string, after token.Pos) (at token.Pos) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		called := ""
		switch fun := call.Fun.(type) {
		case *ast.SelectorExpr:
			called = fun.Sel.Name
		case *ast.Ident:
			called = fun.Name
		}
		if called == name && call.Lparen > after && (at == token.NoPos || call.Lparen < at) {
			at = call.Lparen
		}
		return true
	})
	return at
}
