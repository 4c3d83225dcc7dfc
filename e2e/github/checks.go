package github

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Check is a check run.
type Check struct {
	ID                   int64
	Name, HeadSHA        string
	ExternalID           string
	DetailsURL           string
	Status, Conclusion   string
	Title, Summary, Text string
	Annotations          []Annotation
	Batches              []int // numbers of annotations in the requests that had any
	Completed            int   // number of requests that gave a conclusion
}

// Annotation is an annotation of a check run.
type Annotation struct {
	Path            string `json:"path"`
	StartLine       int    `json:"start_line"`
	EndLine         int    `json:"end_line"`
	StartColumn     *int   `json:"start_column"`
	EndColumn       *int   `json:"end_column"`
	AnnotationLevel string `json:"annotation_level"`
	Message         string `json:"message"`
	Title           string `json:"title"`
	RawDetails      string `json:"raw_details"`
}

type checkRequest struct {
	Name       *string `json:"name"`
	HeadSHA    string  `json:"head_sha"`
	ExternalID string  `json:"external_id"`
	DetailsURL string  `json:"details_url"`
	Status     string  `json:"status"`
	Conclusion string  `json:"conclusion"`
	Output     *struct {
		Title       *string      `json:"title"`
		Summary     *string      `json:"summary"`
		Text        *string      `json:"text"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

func (c *call) readCheck() (checkRequest, bool) {
	var body checkRequest
	if err := json.Unmarshal(c.body, &body); err != nil {
		c.refuse(http.StatusBadRequest, "Problems parsing JSON")
		return body, false
	}
	if why := body.mistake(); why != "" {
		c.problem("%s: %s", c.op.id, why)
		c.refuse(http.StatusUnprocessableEntity, why)
		return body, false
	}
	return body, true
}

// mistake returns the reason why GitHub or this server refuses a request that fits GitHub's description; "" for none.
func (b checkRequest) mistake() string {
	switch {
	case b.Name != nil && strings.TrimSpace(*b.Name) == "":
		return "name is blank"
	case b.Name != nil && aboveBMP(*b.Name):
		return "name has characters above U+FFFF"
	case b.Status == "completed" && b.Conclusion == "":
		return "completed without a conclusion"
	case b.Status != "" && b.Status != "completed" || b.HeadSHA != "" && b.Conclusion == "":
		return "a check run that would be open until another request, which a program that is killed does not send"
	case b.Conclusion != "" && b.Conclusion != "success" && b.Conclusion != "failure":
		return "conclusion " + b.Conclusion + ", which a required check takes for a pass or nobody expects"
	case b.DetailsURL != "" && !isWebAddress(b.DetailsURL):
		return "details_url must use http or https scheme"
	case b.Output == nil:
		return ""
	case b.Output.Title == nil || *b.Output.Title == "" || *b.Output.Summary == "":
		return "output without a title or summary"
	}
	for _, text := range []*string{b.Output.Summary, b.Output.Text} {
		// GitHub's message counts characters, but GitHub has refused shorter texts by their bytes, so bytes are counted here.
		if text != nil && len(*text) > 65535 {
			return fmt.Sprintf("Only 65535 characters are allowed; %d were supplied.", len(*text))
		}
	}
	for _, a := range b.Output.Annotations {
		if why := a.mistake(); why != "" {
			return fmt.Sprintf("annotation of %q: %s", a.Path, why)
		}
	}
	return ""
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func aboveBMP(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0xffff }) }

const maxAnnotationText = 64 << 10 // bytes

func (a Annotation) mistake() string {
	switch {
	case a.Path == "" || path.IsAbs(a.Path) || path.Clean(a.Path) != a.Path || strings.HasPrefix(a.Path, "../"):
		return "the path is not one of the repository"
	case a.StartLine < 1 || a.EndLine < a.StartLine:
		return fmt.Sprintf("lines %d to %d", a.StartLine, a.EndLine)
	case (a.StartColumn != nil || a.EndColumn != nil) && a.StartLine != a.EndLine:
		return "columns on several lines"
	case a.Message == "" || len(a.Message) > maxAnnotationText || len(a.RawDetails) > maxAnnotationText:
		return fmt.Sprintf("a message of %d bytes", len(a.Message))
	case utf8.RuneCountInString(a.Title) > 255:
		return fmt.Sprintf("a title of %d characters", utf8.RuneCountInString(a.Title))
	case aboveBMP(a.Path + a.Title + a.Message + a.RawDetails):
		return "characters above U+FFFF"
	}
	return ""
}

func (c *call) createCheck() {
	body, ok := c.readCheck()
	if !ok {
		return
	}
	if !c.config.Repo.Has(body.HeadSHA) {
		c.problem("checks/create: No commit found for SHA: %s", body.HeadSHA)
		c.refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+body.HeadSHA)
		return
	}
	k := &Check{ID: c.id(), HeadSHA: body.HeadSHA, Status: "queued"}
	k.update(body)
	c.checks = append(c.checks, k)
	c.answer(http.StatusCreated, c.checkJSON(k))
}

// update changes a check run by a request. The request's annotations are added to the annotations of the check run.
func (k *Check) update(b checkRequest) {
	set(&k.Name, b.Name)
	for field, value := range map[*string]string{
		&k.ExternalID: b.ExternalID, &k.DetailsURL: b.DetailsURL, &k.Status: b.Status, &k.Conclusion: b.Conclusion,
	} {
		if value != "" {
			*field = value
		}
	}
	if b.Conclusion != "" {
		k.Status = "completed"
		k.Completed++
	}
	if b.Output == nil {
		return
	}
	set(&k.Title, b.Output.Title)
	set(&k.Summary, b.Output.Summary)
	set(&k.Text, b.Output.Text)
	if n := len(b.Output.Annotations); n > 0 {
		k.Batches = append(k.Batches, n)
		k.Annotations = append(k.Annotations, b.Output.Annotations...)
	}
}

func set(field *string, value *string) {
	if value != nil {
		*field = *value
	}
}

// checkOf returns the check run that the request names. If there is none, it refuses the request and returns nil.
func (c *call) checkOf() *Check {
	i := slices.IndexFunc(c.checks, func(k *Check) bool { return strconv.FormatInt(k.ID, 10) == c.params["check_run_id"] })
	if i < 0 {
		c.refuse(http.StatusNotFound, "Not Found")
		return nil
	}
	return c.checks[i]
}

func (c *call) updateCheck() {
	body, ok := c.readCheck()
	if !ok {
		return
	}
	if k := c.checkOf(); k != nil {
		k.update(body)
		c.answer(http.StatusOK, c.checkJSON(k))
	}
}

func (c *call) getCheck() {
	if k := c.checkOf(); k != nil {
		c.answer(http.StatusOK, c.checkJSON(k))
	}
}

// listChecks lists the check runs of a commit, the newest first. Unless the request asks for all, it lists only the newest of each
// name.
func (c *call) listChecks() {
	query := c.r.URL.Query()
	list, seen := []map[string]any{}, map[string]bool{}
	for _, k := range slices.Backward(c.checks) {
		hidden := seen[k.Name] && query.Get("filter") != "all"
		wanted := query.Get("check_name")
		if k.HeadSHA != c.config.Repo.Resolve(c.params["ref"]) || hidden || wanted != "" && wanted != k.Name {
			continue
		}
		seen[k.Name] = true
		list = append(list, c.checkJSON(k))
	}
	c.answer(http.StatusOK, map[string]any{"total_count": len(list), "check_runs": page(c, list)})
}

func (c *call) checkJSON(k *Check) map[string]any {
	var conclusion any
	if k.Conclusion != "" {
		conclusion = k.Conclusion
	}
	return map[string]any{
		"id": k.ID, "name": k.Name, "head_sha": k.HeadSHA, "external_id": k.ExternalID, "status": k.Status,
		"conclusion": conclusion, "details_url": k.DetailsURL,
		"html_url": fmt.Sprintf("%s/%s/%s/runs/%d", c.SiteURL(), Owner, Name, k.ID),
		"output": map[string]any{
			"title": k.Title, "summary": k.Summary, "text": k.Text, "annotations_count": len(k.Annotations),
		},
	}
}
