import { onTestFinished } from 'vitest'
import { startSshAgent, type SshAgent } from '../../../support/ssh-agent.ts'

/** OpenSSH's own ssh-agent(1), for as long as the test runs. */
export async function startAgent(): Promise<SshAgent> {
  const agent = await startSshAgent()
  onTestFinished(agent.stop)
  return agent
}
