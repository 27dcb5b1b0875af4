import { formatHostPort } from '../ssh/network-address.ts'
import { instancePortOf, type Forward } from './forward.ts'

type Named = Pick<Forward, 'name' | 'isJupyter' | 'plan'>

/** What listens on a port on most machines. Anything may: it's said as a guess, and nothing goes by it but words. */
const usualUses: Readonly<Partial<Record<number, string>>> = {
  5000: 'MLflow',
  6006: 'TensorBoard',
  7860: 'Gradio',
  8188: 'ComfyUI',
  8265: 'Ray',
  8501: 'Streamlit',
  8787: 'Dask',
  8888: 'Jupyter',
  8889: 'Jupyter',
  11_434: 'Ollama',
}

/** What usually listens on a port; `null` when nothing does more than others. */
export function usualUse(port: number): string | null {
  return usualUses[port] ?? null
}

/** A port in words, such as "port 6006 (usually TensorBoard)". */
export function portWords(port: number): string {
  const use = usualUse(port)
  return use === null ? `port ${port}` : `port ${port} (usually ${use})`
}

/** What a forward is called: its user's name, or what is known of it, as inside a sentence. */
export function forwardLabel(forward: Named): string {
  const { name, isJupyter, plan } = forward
  if (name !== '') return name
  if (isJupyter) return 'Jupyter'
  const port = instancePortOf(plan)
  if (port !== null) return portWords(port)
  switch (plan.kind) {
    case 'local':
      return formatHostPort(plan.to.host, plan.to.port)
    case 'remote':
      return `remote port ${plan.entrance.port}`
    case 'dynamic':
      return `SOCKS proxy ${plan.entrance.port}`
  }
}

/** A label of a host name has 63 characters at most (RFC 1035), and an instance's id comes after it. */
const longestWord = 40

/** Letters, digits, and hyphens of what a forward is called; its port where that has none. */
function hostWord({ name, isJupyter, plan }: Named): string {
  const plain = (name === '' && isJupyter ? 'Jupyter' : name)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestWord)
    .replace(/^-|-$/g, '')
  return plain === '' ? `port-${plan.kind === 'local' ? plan.to.port : plan.entrance.port}` : plain
}

/**
 * The host name of a forward on loopback, such as `tensorboard-7.localhost`: browsers keep cookies by host and not by
 * port. Names that end in `.localhost` are loopback's for all (RFC 6761 section 6.3). The instance's id at its end keeps
 * instances apart; of several that would get the same, all but the first have their port in it.
 *
 * @param all the account's forwards, in their order
 */
export function forwardHostName(
  forward: Named & Pick<Forward, 'id' | 'instanceId'>,
  all: readonly (Named & Pick<Forward, 'id' | 'instanceId'>)[],
): string {
  const word = hostWord(forward)
  const first = all.find((one) => one.instanceId === forward.instanceId && hostWord(one) === word)
  const isFirst = first === undefined || first.id === forward.id
  return `${isFirst ? word : `${word}-${forward.plan.entrance.port}`}-${forward.instanceId}.localhost`
}
