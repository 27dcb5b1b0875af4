import { createRouter, createWebHashHistory } from 'vue-router'
import { useOffersStore } from './features/offers/offers-store.ts'
import OffersPage from './features/offers/OffersPage.vue'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'

/** Where an account is connected. It may be opened again at any time: `/welcome?step=machine`. */
const welcome = '/welcome'
/** For somebody who has no key, and can't make one. */
const signedOut = '/cannot-sign-in'

const offers = '/offers'

/** Pages are loaded when they are first opened: the first screen stays small. */
export const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', redirect: offers },
    { path: welcome, component: () => import('./features/accounts/FirstRunPage.vue') },
    { path: signedOut, component: () => import('./features/security/signed-out/SignedOutPage.vue') },
    { path: offers, component: OffersPage },
    {
      path: '/instances',
      component: () => import('./features/instances/InstancesPage.vue'),
      // The page itself shows the one whose id this is. Without a name, a route of nothing would not count.
      children: [{ name: 'instance', path: ':id(\\d+)', components: {} }],
    },
    {
      path: '/instances/:id(\\d+)/files',
      component: () => import('./features/files/FilesRoute.vue'),
    },
    {
      path: '/instances/:id(\\d+)/files/open',
      component: () => import('./features/files/open/OpenFilePage.vue'),
    },
    { path: '/jobs', component: () => import('./features/jobs/JobsPage.vue') },
    { path: '/jobs/:id', component: () => import('./features/jobs/JobPage.vue') },
    { path: '/terminals', component: () => import('./features/terminals/TerminalsPage.vue') },
    { path: '/account', component: () => import('./features/accounts/AccountPage.vue') },
    { path: '/spending', component: () => import('./features/spending/SpendingPage.vue') },
    { path: '/templates', component: () => import('./features/templates/TemplatesPage.vue') },
    {
      path: '/templates/:id(\\d+)',
      component: () => import('./features/templates/page/TemplatePage.vue'),
    },
    { path: '/cloud', component: () => import('./features/cloud/CloudPage.vue') },
    { path: '/templates/new', component: () => import('./features/templates/editor/TemplateEditorPage.vue') },
    {
      path: '/templates/:id(\\d+)/edit',
      component: () => import('./features/templates/editor/TemplateEditorPage.vue'),
    },
    { path: '/security', component: () => import('./features/security/SecurityPage.vue') },
    { path: '/run', component: () => import('./features/runs/RunPage.vue') },
    { path: '/settings', component: () => import('./features/settings/SettingsPage.vue') },
    { path: '/diagnostics', component: () => import('./features/diagnostics/DiagnosticsPage.vue') },
    { path: '/licenses', component: () => import('./features/licenses/LicensesPage.vue') },
    { path: '/:rest(.*)*', redirect: offers },
  ],
})

// Without an account no other page has anything to show. Asked when the page is loaded, which doesn't wait for the answer.
router.beforeResolve(async (to) => {
  if (to.path === welcome || to.path === signedOut) return true
  // Asked for first, so that the last search is known with the account.
  usePreferencesStore()
  const state = await useAccountStore().whenKnown()
  // What the end of the address names may be there, too: `#updates`.
  if (state.kind === 'none') return { path: welcome, hash: to.hash }
  if (to.fullPath === offers) await useOffersStore().beginFirstLook()
  return true
})
