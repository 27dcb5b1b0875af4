import { permissionCategories } from '#domain/accounts/key-permissions.ts'

/** Far more than any category's name is long. */
const longestName = 100

/**
 * What is wrong with the name of a further permission category. Which there are beyond the four that the API names is
 * not known (service API 2.9), so only what can be no name at all is refused.
 */
export function wrongCategoryName(typed: string, others: readonly string[]): string | null {
  const name = typed.trim()
  if (name === '') return 'Enter the category’s name, or remove this line.'
  if (name.length > longestName) return `Use at most ${longestName} characters.`
  if (!/^\w+$/.test(name)) return 'Use only letters, digits, and _, as in instance_read.'
  const named: readonly string[] = permissionCategories
  if (named.includes(name)) return 'This category is listed above: select it there.'
  return others.some((other) => other.trim() === name) ? 'You already added this category.' : null
}

/**
 * The permission scope of a key, as the API describes it (service API 2.9): each category without constraints, whose
 * syntax the API does not show.
 */
export function keyScopeText(categories: readonly string[]): string {
  const api = Object.fromEntries(categories.map((category) => [category.trim(), {}]))
  return JSON.stringify({ api }, null, 2)
}
