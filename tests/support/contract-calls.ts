import { isContractProcedure } from '@orpc/contract'
import { contract } from '#contract/contract.ts'

/** A call of the contract, by the names that lead to it. */
export interface ContractCall {
  readonly path: readonly string[]
  readonly procedure: unknown
}

/** Every call of the contract. */
export const contractCalls: readonly ContractCall[] = callsIn(contract, [])

function callsIn(part: unknown, path: readonly string[]): readonly ContractCall[] {
  if (isContractProcedure(part)) return [{ path, procedure: part }]
  return Object.entries(part as object).flatMap(([name, inner]) => callsIn(inner, [...path, name]))
}

/** What calls it, whatever it is given. */
export function callAt(
  client: unknown,
  { path }: Pick<ContractCall, 'path'>,
): (input: unknown) => Promise<unknown> {
  return path.reduce<unknown>((part, name) => Reflect.get(part as object, name), client) as (
    input: unknown,
  ) => Promise<unknown>
}
