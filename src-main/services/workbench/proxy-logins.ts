import type { Latest } from '../../domain/base/latest.ts'
import type { ProxyLogin, ProxyQuestion } from '../../domain/workbench/proxy-login.ts'

/** The proxy that stops requests until its user has logged in; desktop/ provides it. */
export interface AskingProxy {
  readonly question: Pick<Latest<ProxyQuestion | null>, 'watch'>
  /** @throws ProblemError when this question is not open anymore */
  readonly answer: (questionId: number, login: ProxyLogin) => void
}

/** What a page is told of the proxy, and may answer. */
export interface ProxyLogins {
  readonly watch: AskingProxy['question']['watch']
  readonly logIn: (questionId: number, login: ProxyLogin) => void
}

/** @param from.onLoggedIn whatever failed for want of it is tried again */
export function createProxyLogins(from: {
  readonly proxy: AskingProxy
  readonly remember: (secret: string) => void
  readonly onLoggedIn: () => void
}): ProxyLogins {
  const { question, answer } = from.proxy
  return {
    watch: (signal) => question.watch(signal),
    logIn: (questionId, login) => {
      from.remember(login.password)
      answer(questionId, login)
      from.onLoggedIn()
    },
  }
}
