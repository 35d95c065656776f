// HAProxy's configuration for the nodes of a local cluster: health by /readyz, and another node only where no connection
// could be made.
import type { BalancedNode } from './balancer.ts'

export function haproxyFile({
  nodes,
  port,
}: {
  readonly nodes: readonly BalancedNode[]
  readonly port: number
}): string {
  const servers = nodes.map(
    ({ name, port: own }) =>
      `    server ${name.replace(' ', '-')} 127.0.0.1:${own} check inter 500ms fastinter 250ms fall 2 rise 1`,
  )
  return `global
    stats timeout 10s
defaults
    mode http
    timeout connect 1s
    timeout client 180s
    timeout server 180s
    timeout tunnel 1h
    timeout check 1s
    retries 3
    retry-on conn-failure
    option redispatch 1
frontend public
    bind 127.0.0.1:${port}
    option forwardfor
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Host %[req.hdr(host)]
    default_backend nodes
backend nodes
    balance leastconn
    option httpchk GET /readyz
    http-check expect status 200
${servers.join('\n')}
`
}
