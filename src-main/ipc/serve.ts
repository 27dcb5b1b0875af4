import { RPCHandler } from '@orpc/server/message-port'
import { bulkSerializer } from '../contract/bulk.ts'
import type { PortRequest } from '../contract/ports.ts'
import { openCallsPort } from './calls-port.ts'
import { toContractError } from './failures.ts'
import { ProblemError } from '../domain/base/problem.ts'
import type { MessagePortLike } from './message-port.ts'
import { createRouter } from './router.ts'
import { openScreenPort } from './screen-port.ts'
import type { Services } from './services.ts'

/** Serves ports that desktop/ has accepted: from here on the port is the capability. */
export type ServePort = (request: PortRequest, port: MessagePortLike) => void

export function createServePort(services: Services): ServePort {
  const handler = new RPCHandler(createRouter(services), {
    customJsonSerializers: [bulkSerializer],
    // Outermost, so that refused input passes here too.
    clientInterceptors: [
      async (call) => {
        try {
          if (isOfAccount(call.procedure) && services.account.state.value.kind === 'none')
            throw new ProblemError({ kind: 'no-account' })
          return await call.next()
        } catch (error) {
          // The window has left the call: nobody waits for an answer, and nothing went wrong.
          if (call.signal?.aborted && error === call.signal.reason) throw error
          throw toContractError(error, services.log)
        }
      },
    ],
  })
  return (request, port) => {
    switch (request.kind) {
      case 'calls':
        handler.upgrade(openCallsPort(port, services.log))
        port.start()
        break
      case 'terminal':
        services.terminals.attach(request.terminalId, openScreenPort(port, services.log))
        break
    }
  }
}

/** See `accountProcedure` of the contract. */
function isOfAccount({
  '~orpc': { meta },
}: {
  readonly '~orpc': { readonly meta: Readonly<Record<string, unknown>> }
}): boolean {
  return meta['ofAccount'] === true
}
