/// <reference types="vite/client" />

declare module '@nuxt/ui/vue-plugin' {
  import type { Plugin } from 'vue'
  const plugin: Plugin
  export default plugin
}
