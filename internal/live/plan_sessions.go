package live

import (
	"context"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
)

// connect opens the sessions of a run with the case's servers. The returned function ends them.
func (p *plan) connect(ctx context.Context) (sessions map[string]*mcpclient.Session, end func(), err error) {
	sessions = map[string]*mcpclient.Session{}
	var ends []func()
	end = func() {
		for _, endSession := range ends {
			endSession()
		}
	}
	for _, s := range p.tested.Servers {
		config := p.shared.servers[s.Name]
		var session *mcpclient.Session
		var endSession func()
		if s.Start.Reuse {
			session, endSession, err = p.shared.pool.Session(ctx, config)
		} else {
			session, err = mcpclient.Connect(ctx, config, p.runner().info())
			endSession = func() { session.Close() }
		}
		if err != nil {
			end()
			return nil, nil, err
		}
		ends = append(ends, endSession)
		sessions[s.Name] = session
	}
	return sessions, end, nil
}

// listTools returns the tools of the sessions, in the order of the case's servers.
func (p *plan) listTools(ctx context.Context, sessions map[string]*mcpclient.Session) (*catalog.Catalog, error) {
	lists := []*catalog.Catalog{{}}
	for _, s := range p.tested.Servers {
		tools, err := sessions[s.Name].Tools(ctx)
		if err != nil {
			return nil, err
		}
		lists = append(lists, tools)
	}
	return catalog.Merge(lists...), nil
}
