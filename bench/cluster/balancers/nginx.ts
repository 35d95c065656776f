// nginx's configuration for the nodes of a local cluster. It has no health checks of its own: a node counts as down for
// two seconds after a connection to it could not be made. A question that was sent is not repeated; a GET may be.
import type { BalancedNode } from './balancer.ts'

interface NginxParts {
  readonly nodes: readonly BalancedNode[]
  readonly port: number
  readonly folder: string
}

export function nginxFile({ folder, nodes, port }: NginxParts): string {
  const servers = nodes.map(({ port: own }) => `        server 127.0.0.1:${own} max_fails=1 fail_timeout=2s;`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `    ${name}_temp_path ${folder}/nginx-${name};`,
  )
  return `daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
worker_processes 1;
events { worker_connections 4096; }
http {
    access_log off;
${temporary.join('\n')}
    map $http_upgrade $cluster_connection { default upgrade; '' close; }
    upstream nodes {
        least_conn;
${servers.join('\n')}
    }
    server {
        listen 127.0.0.1:${port};
        client_max_body_size 2m;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $cluster_connection;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Host $http_host;
        proxy_set_header X-Forwarded-Proto http;
        proxy_connect_timeout 1s;
        proxy_read_timeout 180s;
        proxy_send_timeout 180s;
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_next_upstream error;
        location / { proxy_pass http://nodes; }
    }
}
`
}
