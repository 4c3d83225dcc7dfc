package toolsearch

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spellings are characters, each followed by its spelling in Codex's library (deunicode). A "_" means a blank.
const spellings = `
	£ PS ¥ Y= ¤ $? ¢ C/ § SS © (c) « << ® (r) ¯ - ° deg ± +- ´ ' µ u ¶ P · * ¸ , » >> ¼ 1/4 ½ 1/2 ¾ 3/4 × x ÷ /
	Æ AE Ð D Ø O Þ Th ß ss æ ae ð d ø o þ th Đ D đ d Ħ H ħ h ı i ĸ k Ŀ L ŀ l Ł L ł l ŉ 'n Ŋ ng ŋ NG Œ OE œ oe Ŧ T ŧ t ẞ Ss ə @ Ə @ ƒ f
	Α A Β B Γ G Δ D Ε E Ζ Z Η E Θ Th Ι I Κ K Λ L Μ M Ν N Ξ Ks Ο O Π P Ρ R Σ S Τ T Υ U Φ Ph Χ Kh Ψ Ps Ω O
	α a β b γ g δ d ε e ζ z η e θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r ς s σ s τ t υ u φ ph χ kh ψ ps ω o
	А A Б B В V Г G Д D Е E Ж Zh З Z И I К K Л L М M Н N О O П P Р R С S Т T У U Ф F Х Kh Ц Ts Ч Ch Ш Sh Щ Shch Ъ ' Ы Y Ь ' Э E Ю Iu Я Ia
	а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ ' ы y ь ' э e ю iu я ia
	Ѐ Ie Ё Io Ђ Dj Ѓ Gj Є E Ѕ Dz І I Ї Yi Ј J Љ Lj Њ Nj Ћ Tsh Ќ Kj Џ Dzh ѐ ie ё io ђ dj ѓ gj є ie ѕ dz і i ї yi ј j љ lj њ nj ћ tsh ќ kj џ dzh
	‘ ' ’ ' ‚ , ‛ ' ′ ' ‐ - ‑ - – - — -- ― -- ‧ . • * … ... ⁄ / ‗ _ ‿ _
	₤ L ₦ N ₩ W ₪ NS ₫ D € EUR ₹ Rs ₺ TL ₽ Rb ₿ BTC ™ tm № No ℃ C ℉ F ∞ inf √ sqrt
	⅓ _1/3_ ⅔ _2/3_ ⅛ _1/8_ ⅜ _3/8_ ⅝ _5/8_ ⅞ _7/8_ ✅ white_check_mark_ ✓ OK ✔ checkmark_ ✖ x ✗ x ❌ x_ ⚠ warning_
`

var spellingOf = sync.OnceValue(func() map[rune]string {
	table := map[rune]string{'‗': "_", '‿': "_"}
	fields := strings.Fields(spellings)
	for i := 0; i < len(fields); i += 2 {
		r, _ := utf8.DecodeRuneInString(fields[i])
		if _, ok := table[r]; !ok {
			table[r] = strings.ReplaceAll(fields[i+1], "_", " ")
		}
	}
	return table
})

// toASCII returns a text in ASCII, spelled as in Codex if the table has the letter. Any other letter is written as its
// code, so that a search for the letter finds it; a Chinese letter is a word of its own.
func toASCII(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r == '\u200b':
			b.WriteByte(' ')
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc):
		default:
			b.WriteString(spellRune(r))
		}
	}
	return b.String()
}

func spellRune(r rune) string {
	table := spellingOf()
	if s, ok := table[r]; ok {
		return s
	}
	if unicode.Is(unicode.Han, r) {
		return codeOf(r) + " "
	}
	var b strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		s, ok := table[part]
		switch {
		case part < utf8.RuneSelf:
			b.WriteRune(part)
		case ok:
			b.WriteString(s)
		case unicode.Is(unicode.Mn, part):
		case unicode.IsLetter(part) || unicode.IsNumber(part):
			return codeOf(r)
		default:
			return " "
		}
	}
	return b.String()
}

func codeOf(r rune) string { return "u" + strconv.FormatInt(int64(r), 16) }
