package clients

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/redact"
)

// ambiguousNames are names of flags for a password, a key or a token that can have another meaning, such as a port: the
// value after such a flag is a secret only if it is random.
var ambiguousNames = []string{"p", "k", "t", "pw", "pwd", "pass", "key", "auth", "pat"}

// attachedValue matches an ambiguous flag of one letter with its value attached, as in -pVALUE.
var attachedValue = regexp.MustCompile(`^-[pktPKT]([^-=].*)$`)

// ordinaryFlag matches a dash or a flag: two dashes and anything, or one dash and a word or a number, such as -v, -stdio or -p8080.
var ordinaryFlag = regexp.MustCompile(`^-(-.*|[A-Za-z][A-Za-z-]*(=.*)?|[A-Za-z]?[0-9.]+)?$`)

// fileOrHost matches the end of a file name or a host, with or without a port.
var fileOrHost = regexp.MustCompile(`\.[a-z]{2,5}$|^[A-Za-z0-9.-]+:[0-9]+$`)

// launchWords are the words by which a launcher starts a program.
var launchWords = strings.Fields("run exec dlx tool x")

// isNamedSecret reports whether the argument words[index] is a secret, because of the word before it, or because of the flag with
// which it begins. Ambiguous names count only from ownStart on, where the options of the launcher have ended.
func isNamedSecret(words []string, index, ownStart int) bool {
	text, previous := words[index], words[index-1]
	name := flagName(previous)
	isFlag := name != previous
	if strings.HasPrefix(text, "-") && !ordinaryFlag.MatchString(text) && isFlag && redact.IsSecretName(name) {
		return true
	}
	if flag, value := cutFlag(text); flag != "" {
		name := flagName(strings.TrimSuffix(flag, "="))
		if redact.IsSecretName(name) {
			return variableUse.MatchString(value) // a literal is recognized by its looks
		}
		return index >= ownStart && isAmbiguousSecret(name, value)
	}
	if value := attachedValue.FindStringSubmatch(text); value != nil {
		return index >= ownStart && isRandom(value[1])
	}
	if strings.HasPrefix(text, "-") || text == "" {
		return false
	}
	switch {
	case isFlag && redact.IsSecretName(name):
		return !redact.StandsForSecret(text) || variableUse.MatchString(text)
	case isFlag:
		return index >= ownStart && isAmbiguousSecret(name, text)
	}
	return redact.IsSecretName(previous) && looksSecret(text)
}

func isAmbiguousSecret(name, value string) bool {
	return slices.Contains(ambiguousNames, strings.ToLower(name)) && isRandom(value)
}

// cutFlag returns the flag at the beginning of an argument, with its "=", and the value after it; "" for any other
// argument.
func cutFlag(text string) (flag, value string) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || !strings.HasPrefix(name, "-") {
		return "", text
	}
	return name + "=", value
}

// looksSecret reports whether a value, or the default of a variable in it, looks like a secret and not like a file or a host.
func looksSecret(value string) bool {
	value = variableUse.ReplaceAllString(value, "$2")
	return redact.LooksSecret(value) && !fileOrHost.MatchString(value)
}

func flagName(flag string) string { return strings.TrimLeft(flag, "-") }

// ownStart returns the place of the first argument that can belong to the server instead of its launcher: after the
// package, the image or the script that is launched.
func ownStart(words []string) int {
	program := path.Base(strings.ReplaceAll(words[0], `\`, "/"))
	program, _, _ = strings.Cut(program, ".")
	if !slices.Contains(launchers, program) {
		return 1
	}
	for i := 1; i < len(words); i++ {
		name := flagName(words[i-1])
		isFlagValue := words[i-1] != name && slices.Contains(ambiguousNames, name)
		isFlag := strings.HasPrefix(words[i], "-")
		if !isFlag && !isFlagValue && !slices.Contains(launchWords, words[i]) {
			return i + 1
		}
	}
	return len(words)
}
