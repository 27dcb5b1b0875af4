import { ProblemError } from '../domain/problem.ts'
import { portMappingsOf, portUrl } from '../domain/port-mappings.ts'
import { sshAddressesOf } from '../domain/ssh-address.ts'
import { vsCodeLink } from '../domain/vscode-link.ts'
import type { ActivityLog } from './activity.ts'
import type { InstanceList } from './list.ts'

/** Programs outside of Slipway that may be given a link; desktop/ refuses what is not one of the form. */
export interface ExternalPrograms {
  readonly openVsCode: (link: string) => Promise<'opened' | 'refused' | 'failed'>
  readonly openPort: (url: string) => Promise<'opened' | 'refused' | 'failed'>
}

export interface MappedPort {
  readonly id: number
  readonly containerPort: number
  readonly hostPort: number
  readonly scheme: 'http' | 'https'
}

export interface InstanceLinks {
  /** @throws ProblemError invalid-input when there is nothing to open, or no program for it */
  readonly openVsCode: (id: number) => Promise<void>
  /** @throws ProblemError invalid-input when the port is not mapped (any more), or no browser opens it */
  readonly openPort: (port: MappedPort) => Promise<void>
}

/** Opens what an instance offers in other programs. The links are made here: the window only says which. */
export function createInstanceLinks({
  list,
  user,
  aliasOf,
  programs,
  activity,
}: {
  readonly list: Pick<InstanceList, 'find'>
  readonly user: () => string
  /** The instance's name in the SSH configuration; `null` when it has no entry there. */
  readonly aliasOf: (id: number) => string | null
  readonly programs: ExternalPrograms
  readonly activity: Pick<ActivityLog, 'note'>
}): InstanceLinks {
  function recordOf(id: number) {
    const instance = list.find(id)
    if (instance) return instance.record
    throw refusal('The instance is not in the list any more.')
  }

  return {
    openVsCode: async (id) => {
      const { preferred } = sshAddressesOf(recordOf(id))
      const alias = aliasOf(id)
      if (preferred === null) throw refusal('The instance has no SSH address yet.')
      const link = vsCodeLink(
        alias === null
          ? { kind: 'address', address: preferred, user: user() }
          : { kind: 'alias', alias, user: user() },
      )
      if (link === null)
        throw refusal(
          'VS Code cannot be given an IPv6 address: add the machine to the SSH configuration first.',
        )
      if ((await programs.openVsCode(link)) !== 'opened')
        throw refusal('No program opens vscode:// links. Is VS Code installed?')
      await activity.note(id, { kind: 'vscode-opened' })
    },

    openPort: async ({ id, containerPort, hostPort, scheme }) => {
      const mapping = portMappingsOf(recordOf(id)).find(
        (one) => one.protocol === 'tcp' && one.containerPort === containerPort && one.hostPort === hostPort,
      )
      const url = mapping ? portUrl(mapping, scheme) : null
      if (url === null) throw refusal('This port is not mapped any more.')
      if ((await programs.openPort(url)) !== 'opened') throw refusal('No browser could be opened.')
      await activity.note(id, { kind: 'port-opened', port: containerPort })
    },
  }
}

function refusal(message: string): ProblemError {
  return new ProblemError({ kind: 'invalid-input', field: 'link', message })
}
