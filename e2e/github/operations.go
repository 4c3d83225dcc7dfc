package github

// operation is an operation of GitHub's API that the stand-in has.
type operation struct {
	id           string // its id in GitHub's description
	method, path string
	needs        permission
	handle       func(*call)
}

// operations are all operations that the stand-in has. A request for another operation is a problem.
var operations []operation = table()

const repository = "/repos/{owner}/{repo}"

func table() []operation {
	return []operation{
		{"checks/create", "POST", repository + "/check-runs", writeChecks, (*call).createCheck},
		{"checks/update", "PATCH", repository + "/check-runs/{check_run_id}", writeChecks, (*call).updateCheck},
		{"checks/get", "GET", repository + "/check-runs/{check_run_id}", readChecks, (*call).getCheck},
		{"checks/list-for-ref", "GET", repository + "/commits/{ref}/check-runs", readChecks, (*call).listChecks},
		{"issues/list-comments", "GET", repository + "/issues/{issue_number}/comments", readPulls, (*call).listComments},
		{"issues/create-comment", "POST", repository + "/issues/{issue_number}/comments", writePulls, (*call).createComment},
		{"issues/get-comment", "GET", repository + "/issues/comments/{comment_id}", readPulls, (*call).getComment},
		{"issues/update-comment", "PATCH", repository + "/issues/comments/{comment_id}", writePulls, (*call).updateComment},
		{"issues/delete-comment", "DELETE", repository + "/issues/comments/{comment_id}", writePulls, (*call).deleteComment},
		{"pulls/get", "GET", repository + "/pulls/{pull_number}", readPulls, (*call).getPull},
		{"pulls/list", "GET", repository + "/pulls", readPulls, (*call).listPulls},
		{"git/get-ref", "GET", repository + "/git/ref/{ref}", readContents, (*call).getRef},
		{"repos/compare-commits", "GET", repository + "/compare/{basehead}", readContents, (*call).compare},
		{"git/get-commit", "GET", repository + "/git/commits/{commit_sha}", readContents, (*call).getCommit},
		{"git/get-tree", "GET", repository + "/git/trees/{tree_sha}", readContents, (*call).getTree},
		{"git/get-blob", "GET", repository + "/git/blobs/{file_sha}", readContents, (*call).getBlob},
		{"repos/download-tarball-archive", "GET", repository + "/tarball/{ref}", readContents, (*call).getTarball},
		{"repos/get-commit", "GET", repository + "/commits/{ref}", readContents, (*call).getCommitOfRef},
		{"users/get-authenticated", "GET", "/user", nobody, (*call).getUser},
	}
}
