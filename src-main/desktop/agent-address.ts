/** What tells where an agent may be asked. */
export interface AgentPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The names of Windows' pipes; asked for there only. */
  readonly pipes: () => readonly string[]
}

const pipeFolder = '\\\\.\\pipe\\'
/** Of the agent that is a service of Windows. */
const windowsAgent = 'openssh-ssh-agent'

/**
 * Where the user's ssh-agent is asked: at SSH_AUTH_SOCK, or on Windows at the pipe of its own agent or of Pageant
 * (PuTTY 0.75 and later), which speak the same protocol. `null` where there is none.
 */
export function findAgentAddress({ platform, env, pipes }: AgentPlace): string | null {
  const told = env['SSH_AUTH_SOCK']
  if (told) return told
  if (platform !== 'win32') return null
  const names = pipes()
  // Pageant's name ends in what nobody else can tell; that of another user's begins otherwise.
  const mine = `pageant.${env['USERNAME'] ?? ''}.`.toLowerCase()
  const found =
    names.find((name) => name === windowsAgent) ?? names.find((name) => name.toLowerCase().startsWith(mine))
  return found === undefined ? null : pipeFolder + found
}
