import type { MarkTarget } from '#domain/offers/offer-mark.ts'

/** `Machine 1234`. */
export function targetName({ kind, id }: MarkTarget): string {
  switch (kind) {
    case 'machine':
      return `Machine ${id}`
    case 'host':
      return `Host ${id}`
    case 'offer':
      return `Offer ${id}`
  }
}
