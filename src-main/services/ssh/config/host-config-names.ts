import SSHConfig, { type Line } from 'ssh-config'
import { parseJumpHosts } from '../../../domain/ssh/jump-host.ts'
import { criteriaOf, deepestInclude, wordsOf } from './host-config.ts'

/**
 * The names of machines that stand in an ssh_config(5): aliases, host names and jump hosts, whatever they are for.
 * Patterns name none. Nothing of it is decided by; it is for leaving names out, so what cannot be read or parsed keeps
 * nothing else from being found.
 *
 * @param include the texts of the files that an Include names
 * @param onTrouble told of each text that names nothing, as it cannot be read or parsed
 */
export async function namesInConfig(
  text: string,
  include: (pattern: string) => Promise<readonly string[]>,
  onTrouble: (error: unknown) => void,
): Promise<readonly string[]> {
  const found = new Set<string>()

  async function addText(content: string, depth: number): Promise<void> {
    try {
      await addLines(SSHConfig.parse(content), [], depth)
    } catch (error) {
      onTrouble(error)
    }
  }

  async function addIncluded(pattern: string, depth: number): Promise<void> {
    try {
      if (depth >= deepestInclude) throw new Error('its Include lines go too deep')
      for (const content of await include(pattern)) await addText(content, depth + 1)
    } catch (error) {
      onTrouble(error)
    }
  }

  /** @param aliases whom the lines are about */
  async function addLines(lines: Iterable<Line>, aliases: readonly string[], depth: number): Promise<void> {
    for (const line of lines) {
      if (!('param' in line)) continue
      const keyword = line.param.toLowerCase()
      const words = wordsOf(line.value)
      if ('config' in line) {
        const own = plainNames(keyword === 'host' ? words : patternsOfMatch(line))
        for (const alias of own) found.add(alias)
        await addLines(line.config, own, depth)
      } else if (keyword === 'include') {
        for (const pattern of words) await addIncluded(pattern, depth)
      } else for (const name of namesOfLine(keyword, words[0] ?? '', aliases)) found.add(name)
    }
  }

  await addText(text, 0)
  return [...found]
}

function patternsOfMatch(line: Line): readonly string[] {
  const criteria = criteriaOf(line)
  return ['host', 'originalhost'].flatMap((name) => [
    ...(criteria.get(name) ?? []),
    ...(criteria.get(`!${name}`) ?? []),
  ])
}

function plainNames(patterns: readonly string[]): readonly string[] {
  return patterns.map((pattern) => pattern.replace(/^!/, '')).filter((pattern) => !/[*?]/.test(pattern))
}

function namesOfLine(keyword: string, value: string, aliases: readonly string[]): readonly string[] {
  switch (keyword) {
    case 'hostname':
      return value.includes('%h') ? aliases.map((alias) => value.replaceAll('%h', () => alias)) : [value]
    case 'proxyjump':
      return value.toLowerCase() === 'none' ? [] : (parseJumpHosts(value) ?? []).map(({ host }) => host)
    default:
      return []
  }
}
