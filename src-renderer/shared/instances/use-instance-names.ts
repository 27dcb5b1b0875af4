import { labelOf } from '#domain/instances/instance-label.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'

/** What an instance is called: by its label, if it's listed and has one. */
export function useInstanceNames(): (id: number) => string {
  const instances = useInstancesStore()
  return (id) => {
    const listed = instances.instances?.find((one) => one.id === id)
    const label = listed ? labelOf(listed) : null
    return label === null ? `Instance ${id}` : `${label} (${id})`
  }
}
