/** A page that the rail leads to. `name` is what documentation and tests call it (screens.md). */
export interface RailItem {
  readonly name: 'Offers' | 'Instances' | 'Terminals' | 'Templates' | 'Cloud' | 'Security' | 'Settings'
  readonly to: string
  readonly icon: string
}

export const railItems: readonly RailItem[] = [
  { name: 'Offers', to: '/offers', icon: 'i-lucide-search' },
  { name: 'Instances', to: '/instances', icon: 'i-lucide-server' },
  { name: 'Terminals', to: '/terminals', icon: 'i-lucide-square-terminal' },
  { name: 'Templates', to: '/templates', icon: 'i-lucide-layout-template' },
  { name: 'Cloud', to: '/cloud', icon: 'i-lucide-cloud' },
  { name: 'Security', to: '/security', icon: 'i-lucide-shield-check' },
  { name: 'Settings', to: '/settings', icon: 'i-lucide-settings' },
]
