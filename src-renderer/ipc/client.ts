import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { bulkSerializer } from '#contract/bulk.ts'
import type { contract } from '#contract/contract.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { portChannel } from '#contract/port-channel.ts'
import type { PortRequest } from '#contract/ports.ts'

/**
 * Makes a channel and hands one end to main. The preload script forwards it, and only from this origin, so
 * the exact origin is named here too.
 */
function handOver(request: PortRequest): MessagePort {
  const { port1: kept, port2: handed } = new MessageChannel()
  window.postMessage({ type: portChannel, request }, location.origin, [handed])
  return kept
}

/**
 * Every call that main answers, typed by the contract: `await client.offers.search(query)`. A failed call
 * rejects; `toProblem` (problem.ts) turns what it rejects with into data. For `….watch()` use `useWatch`.
 */
export const client: ContractRouterClient<typeof contract> = createORPCClient(
  new RPCLink({ port: startedCallsPort(), customJsonSerializers: [bulkSerializer] }),
)

/** The list of instances, for `useWatch`: main sends what has changed of it. */
export const watchInstances = wholeLists(client.instances.watch)

function startedCallsPort(): MessagePort {
  const port = handOver({ kind: 'calls' })
  // oRPC listens with addEventListener, which, unlike `onmessage`, does not start a port.
  port.start()
  return port
}

export type { TerminalMessage } from '#contract/terminal-port.ts'

/**
 * The port on which one terminal's bytes travel (contract/terminal-port.ts). Main connects the terminal when
 * the port arrives. Whoever opens it starts it (`port.start()` or `onmessage`) and closes it.
 */
export function openTerminalPort(terminalId: string): MessagePort {
  return handOver({ kind: 'terminal', terminalId })
}
