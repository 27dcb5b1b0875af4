import { labelOf } from '#domain/instances/instance-label.ts'
import { counted } from '#domain/base/plural.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { manyTerminals, mostTerminals, mostTiles } from '#shared/terminals/open-request.ts'

/** What opening terminals does. @param count of the instances that can be reached */
export function openTerminalsText(count: number): string {
  if (count === 0) return 'None of these instances is running.'
  if (count > mostTerminals)
    return `${counted(count, 'instance')} are running. Select ${mostTerminals} at most.`
  const what =
    count === 1 ? 'Opens a terminal on 1 instance.' : `Opens a terminal on each of ${count} instances.`
  return count > manyTerminals
    ? `${what} Connecting to that many takes a while, and each may ask about its host key.`
    : what
}

const mostNames = 5

/** Names those that no terminal is opened on. */
export function leftOutText(instances: readonly ListedInstance[]): string {
  const names = instances.map((one) => {
    const label = labelOf(one)
    return label === null ? `${one.id}` : `${label} (${one.id})`
  })
  const more = names.length - mostNames
  const listed = names.slice(0, mostNames).join(', ')
  return `Left out, not running: ${listed}${more > 0 ? `, and ${more} more` : ''}.`
}

export function placeItems(fitsTiles: boolean) {
  return [
    { value: 'tabs', label: 'In tabs', description: 'One tab for each instance.' },
    {
      value: 'tiles',
      label: 'Side by side',
      description: fitsTiles ? 'All in sight.' : `For ${mostTiles} terminals at most.`,
      disabled: !fitsTiles,
    },
  ]
}
