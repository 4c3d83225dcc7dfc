package mcpclient

// baseEnv names what a server on standard input and output gets of the program's own environment.
var baseEnv = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// BaseEnv returns the part of the environment that every server on standard input and output gets, as NAME=value.
func BaseEnv(getenv func(string) string) []string {
	var env []string
	for _, name := range baseEnv {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
