import type { Problem } from '#domain/base/problem.ts'

/** How far one instance of a group is. */
export type GroupResult =
  | { readonly kind: 'waiting' | 'asking' | 'accepted' }
  | { readonly kind: 'failed'; readonly problem: Problem }
