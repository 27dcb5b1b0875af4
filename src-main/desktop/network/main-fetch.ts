import { session } from 'electron'
import type { AppDependencies } from '../../app/dependencies.ts'
import { logInToProxy, openProbe } from './log-in-to-proxy.ts'
import { createNetFetch, type FetchSession } from './net-fetch.ts'
import type { ProxyLogins } from './proxy-logins.ts'

/** What main asks the service by, in sessions of its own: the pages' own has no network. */
export function createMainFetch({
  ready,
  logins,
}: {
  readonly ready: Promise<void>
  readonly logins: ProxyLogins
}): Pick<AppDependencies, 'fetch' | 'proxy'> {
  // In memory: without "persist:" in its name, a partition writes nothing to the disk.
  const inPartition = (name: string): FetchSession => {
    const made = session.fromPartition(name)
    return {
      fetch: (url, init) => made.fetch(url, init),
      closeAllConnections: () => made.closeAllConnections(),
      logInToProxy: (url, signal) => logInToProxy(() => openProbe(made, url), logins, signal),
    }
  }
  return {
    fetch: createNetFetch({
      ready,
      shared: () => inPartition('asked'),
      apart: (slot) => inPartition(`sent-once-${slot}`),
    }),
    proxy: {
      question: logins.question,
      answer: (questionId, login) => logins.answer(questionId, login),
    },
  }
}
