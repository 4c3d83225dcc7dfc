package mcpclient

// baseEnv names the variables of this program's environment that a server on standard input and output gets.
var baseEnv = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// programEnv names the variables that a program that runs a case gets. Such a program has a HOME of its own.
var programEnv = []string{"PATH", "LANG", "TMPDIR", "TERM"}

// ProgramEnv returns the variables, as NAME=value, that a program that runs a case gets.
func ProgramEnv(getenv func(string) string) []string { return variablesOf(programEnv, getenv) }

// BaseEnv returns the variables, as NAME=value, that every server on standard input and output gets.
func BaseEnv(getenv func(string) string) []string { return variablesOf(baseEnv, getenv) }

func variablesOf(names []string, getenv func(string) string) []string {
	var env []string
	for _, name := range names {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
