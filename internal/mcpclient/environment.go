package mcpclient

// baseEnv names what a server on standard input and output gets of the program's own environment.
var baseEnv = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// programEnv names what a program that runs a case gets of it. HOME is its own.
var programEnv = []string{"PATH", "LANG", "TMPDIR", "TERM"}

// ProgramEnv returns the part of the environment that a program gets that runs a case, as NAME=value.
func ProgramEnv(getenv func(string) string) []string { return pick(programEnv, getenv) }

// BaseEnv returns the part of the environment that every server on standard input and output gets, as NAME=value.
func BaseEnv(getenv func(string) string) []string { return pick(baseEnv, getenv) }

func pick(names []string, getenv func(string) string) []string {
	var env []string
	for _, name := range names {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
