import { RPCHandler } from '@orpc/server/message-port'
import { ORPCError, ValidationError } from '@orpc/server'
import { bulkSerializer, bulkTransfer } from '../contract/bulk.ts'
import type { PortRequest } from '../contract/ports.ts'
import type { Log } from '../domain/base/log.ts'
import { faultOfIssue } from '../domain/base/fault-of-issue.ts'
import { ProblemError, type Problem } from '../domain/base/problem.ts'
import { openCallsPort } from './calls-port.ts'
import type { MessagePortLike } from './message-port.ts'
import { createRouter, type ServedServices } from './router.ts'
import { openTerminalPort } from './terminal-port.ts'

/**
 * Serves ports that desktop/ has accepted: from here on the port is the capability.
 *
 * @param account whose page it is of; `null`: for none
 */
export type ServePort = (account: string | null, request: PortRequest, port: MessagePortLike) => void

/** @param servicesOf what the page of an account is served, looked up for each port */
export function createServer(log: Log, servicesOf: (account: string | null) => ServedServices): ServePort {
  return (account, request, port) => {
    const services = servicesOf(account)
    switch (request.kind) {
      case 'calls':
        serveCalls(services, port, log)
        break
      case 'terminal':
        services.terminals.attach(request.terminalId, openTerminalPort(port, log))
        break
    }
  }
}

function serveCalls(services: ServedServices, port: MessagePortLike, log: Log): void {
  const { state } = services.key
  const handler = new RPCHandler(createRouter(services), {
    customJsonSerializers: [bulkSerializer],
    experimental_transfer: bulkTransfer,
    // Outermost, so that refused input passes here too.
    clientInterceptors: [
      async (call) => {
        try {
          if (isOfAccount(call.procedure) && state.value.kind === 'none')
            throw new ProblemError({ kind: 'no-account' })
          return await call.next()
        } catch (error) {
          // The window has left the call: nobody waits for an answer, and nothing went wrong.
          if (call.signal?.aborted && error === call.signal.reason) throw error
          throw toContractError(error, log)
        }
      },
    ],
  })
  handler.upgrade(openCallsPort(port, log))
  port.start()
}

/** See `accountProcedure` of the contract. */
function isOfAccount({
  '~orpc': { meta },
}: {
  readonly '~orpc': { readonly meta: Readonly<Record<string, unknown>> }
}): boolean {
  return meta['ofAccount'] === true
}

/**
 * Any failure of a call as the contract's one typed error. What was foreseen crosses as it is; what the
 * window sent and the contract refuses is named by its field; everything else goes to the log, and only
 * the id of its line crosses.
 */
function toContractError(error: unknown, log: Log): ORPCError<'PROBLEM', Problem> {
  return new ORPCError('PROBLEM', { defined: true, data: problemOf(error, log) })
}

function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    const issue = error.cause.issues[0]
    const field = (issue?.path ?? [])
      .map((part) => String(typeof part === 'object' ? part.key : part))
      .join('.')
    return { kind: 'invalid-input', field, fault: faultOfIssue(issue ?? {}) }
  }
  return { kind: 'unexpected', id: log.error('A call failed', error) }
}
