// Explains why the server cannot listen on an address: what is wrong, and what to set instead. Shared by the start and
// `doctor`, so that both give the same advice.

export interface ListenProblem {
  readonly detail: string
  readonly fix: string
}

const PORT_MAX = 65_535
const OWN_ADDRESS = 'Set HOST to an address of this machine: 127.0.0.1 for local use, 0.0.0.0 for every IPv4 interface.'

export function listenProblem(code: string, host: string, port: number): ListenProblem {
  switch (code) {
    case 'EADDRINUSE':
      return {
        detail: `Port ${port} on ${host} is in use`,
        fix: `Stop the process that listens there, or choose another port, for example PORT=${otherPort(port)}; PORT=0 takes any free one.`,
      }
    case 'EACCES':
      return {
        detail: `This user may not listen on port ${port} of ${host} (EACCES)`,
        fix: 'Choose a port from 1024 up, for example PORT=8080, and let a reverse proxy serve port 80 or 443.',
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { detail: `The host name ${host} cannot be resolved (${code})`, fix: OWN_ADDRESS }
    case 'EADDRNOTAVAIL':
      return { detail: `${host} is not an address of this machine (EADDRNOTAVAIL)`, fix: OWN_ADDRESS }
    default:
      return { detail: `Port ${port} on ${host} cannot be used (${code})`, fix: OWN_ADDRESS }
  }
}

function otherPort(port: number): number {
  return port < PORT_MAX ? port + 1 : port - 1
}
