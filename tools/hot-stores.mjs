/**
 * Lets the page take a changed store (Pinia) without a reload, with what is in it: what Pinia asks each file of a store
 * to say by itself, `import.meta.hot.accept(acceptHMRUpdate(useStore, import.meta.hot))`, is added by the development
 * server. A build has nothing of it.
 *
 * @returns {import('vite').Plugin}
 */
export function hotStores() {
  return {
    name: 'slipway:hot-stores',
    apply: 'serve',
    transform: {
      filter: { id: /\.ts$/, code: /\bdefineStore\(/ },
      handler(code) {
        const stores = [...code.matchAll(/^export const (use\w+) = defineStore\(/gm)].map(([, name]) => name)
        if (stores.length === 0) return null
        const accepts = stores.map(
          (name) => `  import.meta.hot.accept(acceptStore(${name}, import.meta.hot))\n`,
        )
        const added = `\nimport { acceptHMRUpdate as acceptStore } from 'pinia'\nif (import.meta.hot) {\n${accepts.join('')}}\n`
        // Lines are added at the end only: the map of those before stays true.
        return { code: code + added, map: null }
      },
    },
  }
}
