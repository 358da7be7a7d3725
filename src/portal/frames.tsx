import type { ComponentChildren } from 'preact'
import { type AssetName, asset } from '../http/assets.ts'
import type { BaseMap } from '../http/base-map.ts'
import { Face } from '../ui/face.tsx'
import { Form } from '../ui/forms.tsx'
import { Icon } from '../ui/icons.tsx'
import { useVisit } from './context.ts'
import { type Place, placesFor, type Section } from './navigation.ts'
import type { PortalAgent } from './sessions.ts'

// Page frames: Inside when signed in, Outside before.

export interface Screen {
  title: string
  /** Its section in the navigation; none for pages before sign-in. */
  section?: Section
  /** Overrides the status of the reply. */
  status?: number
  /** Main action, beside the title. */
  actions?: ComponentChildren
  /** Subtitle. */
  subtitle?: ComponentChildren
  /** Additional scripts and stylesheets, loaded after the shell's. */
  assets?: AssetName[]
  /** Of the map on the page. */
  baseMap?: BaseMap
  /** Whether it shows documents in frames. */
  frames?: boolean
}

function Logo({ href = '/portal' }: { href?: string }) {
  return (
    <a href={href} class="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <img src={asset('icon.svg')} alt="" width="28" height="28" />
      Lonja
    </a>
  )
}

/** The portal shell: navigation on the left, behind a button on phones. */
export function Inside(props: { agent: PortalAgent; screen: Screen; children: ComponentChildren }) {
  const { agent, screen, children } = props
  const { t } = useVisit()
  const places = placesFor(t, agent)
  return (
    <div class="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <aside class="sticky top-0 hidden h-screen flex-col gap-6 overflow-y-auto border-r border-base-300 bg-base-100 p-5 lg:flex">
        <Logo />
        <Places places={places} section={screen.section} label={t('Principal', 'Main')} />
        <div class="mt-auto flex flex-col gap-4">
          <Switches />
          <Who agent={agent} />
        </div>
      </aside>
      <div class="flex min-w-0 flex-col">
        <header class="sticky top-0 z-20 flex items-center justify-between border-b border-base-300 bg-base-100 px-4 py-2.5 lg:hidden">
          <Logo />
          <PhoneMenu agent={agent} places={places} section={screen.section} />
        </header>
        <main
          id="content"
          class="mx-auto flex w-full max-w-6xl min-w-0 flex-col gap-6 px-4 py-6 sm:px-8 sm:py-9"
        >
          <FlashMessage />
          {!agent.isVerified && !agent.assists && screen.section !== 'operator' && <NotVerified />}
          <Heading screen={screen} />
          {children}
        </main>
      </div>
    </div>
  )
}

function Heading({ screen }: { screen: Screen }) {
  return (
    <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div class="min-w-0">
        <h1 class="text-2xl font-semibold tracking-tight break-words sm:text-3xl">{screen.title}</h1>
        {screen.subtitle && <p class="mt-1 text-base-content/70">{screen.subtitle}</p>}
      </div>
      {screen.actions && <div class="flex flex-wrap items-center gap-2">{screen.actions}</div>}
    </div>
  )
}

function Places(props: { places: Place[]; section: Section | undefined; label: string }) {
  return (
    <nav aria-label={props.label}>
      <ul class="flex flex-col gap-1">
        {props.places.map(place => {
          const isHere = place.section === props.section
          return (
            <li key={place.section}>
              <a
                href={place.path}
                aria-current={isHere ? 'page' : undefined}
                class={`flex items-center gap-3 rounded-field px-3 py-2.5 text-sm font-medium ${
                  isHere ? 'bg-primary/10 text-primary' : 'text-base-content/80 hover:bg-base-200'
                }`}
              >
                <Icon name={place.icon} />
                {place.label}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function PhoneMenu(props: { agent: PortalAgent; places: Place[]; section: Section | undefined }) {
  const { t } = useVisit()
  return (
    <details class="dropdown dropdown-end">
      <summary class="btn btn-ghost btn-square" aria-label={t('Menú', 'Menu')}>
        <Icon name="menu" class="size-6" />
      </summary>
      <div class="dropdown-content mt-2 flex max-h-[80vh] w-72 flex-col gap-4 overflow-y-auto rounded-box border border-base-300 bg-base-100 p-4 shadow-xl">
        <Places places={props.places} section={props.section} label={t('Menú', 'Menu')} />
        <Switches />
        <Who agent={props.agent} />
      </div>
    </details>
  )
}

function Who({ agent }: { agent: PortalAgent }) {
  const { t } = useVisit()
  const { name, email, photo } = agent.assistant ?? agent
  const principal = agent.assistant ? agent.name : agent.assists
  return (
    <div class="flex items-center gap-3 border-t border-base-300 pt-4">
      <Face name={name} photo={photo} />
      <div class="min-w-0 flex-1 text-sm">
        <p class="truncate font-medium">{name}</p>
        <p class="truncate text-base-content/70">
          {principal ? t(`Asistente de ${principal}`, `Assistant to ${principal}`) : email}
        </p>
      </div>
      <Form action="/portal/sign-out" class="flex">
        <button
          type="submit"
          class="btn btn-ghost btn-square btn-sm"
          aria-label={t('Cerrar sesión', 'Sign out')}
          title={t('Cerrar sesión', 'Sign out')}
        >
          <Icon name="exit" />
        </button>
      </Form>
    </div>
  )
}

/** Language and theme: plain forms, so they work without scripts and return to the same page. */
function Switches() {
  const { t, lang, theme, path } = useVisit()
  const other = lang === 'es' ? 'en' : 'es'
  const themes = [
    { value: 'light', icon: 'sun', label: t('Tema claro', 'Light theme') },
    { value: 'dark', icon: 'moon', label: t('Tema oscuro', 'Dark theme') },
  ] as const
  return (
    <Form action="/portal/preferences" class="flex items-center justify-between gap-2">
      <input type="hidden" name="back" value={path} />
      <button
        type="submit"
        name="lang"
        value={other}
        class="btn btn-ghost btn-sm gap-2 px-2 font-normal"
        lang={other}
      >
        <Icon name="globe" />
        {lang === 'es' ? 'English' : 'Español'}
      </button>
      <span class="flex">
        {themes.map(({ value, icon, label }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            // Selecting the current theme again restores the device preference.
            value={theme === value ? 'system' : value}
            aria-pressed={theme === value}
            aria-label={label}
            title={label}
            class={`btn btn-ghost btn-square btn-sm ${theme === value ? 'text-primary' : ''}`}
          >
            <Icon name={icon} />
          </button>
        ))}
      </span>
    </Form>
  )
}

const FLASHES = {
  success: { tone: 'alert-success', icon: 'check' },
  info: { tone: 'alert-info', icon: 'info' },
  warning: { tone: 'alert-warning', icon: 'alert' },
  error: { tone: 'alert-error', icon: 'alert' },
} as const

function FlashMessage() {
  const { flash } = useVisit()
  if (!flash) return null
  const { tone, icon } = FLASHES[flash.kind]
  return (
    <div role={flash.kind === 'error' ? 'alert' : 'status'} class={`alert ${tone}`}>
      <Icon name={icon} />
      <span class="min-w-0 break-words">{flash.text}</span>
    </div>
  )
}

function NotVerified() {
  const { t } = useVisit()
  return (
    <div class="alert border border-warning/60 bg-warning/10">
      <Icon name="shield" />
      <p class="min-w-0 text-sm">
        <strong>{t('Tu licencia aún no está verificada.', 'Your license is not verified yet.')}</strong>{' '}
        {t(
          'Puedes preparar borradores. Podrás publicar y crear llaves de API cuando la verifiquemos.',
          'You can prepare drafts. Publishing and API keys become available once it is verified.',
        )}{' '}
        <a class="link font-medium" href="/portal/licence">
          {t('Ver mi licencia', 'See my license')}
        </a>
      </p>
    </div>
  )
}

/** Pages before sign-in: one centered card. */
export function Outside({ screen, children }: { screen: Screen; children: ComponentChildren }) {
  return (
    <div class="flex min-h-screen flex-col">
      <header class="mx-auto flex w-full max-w-5xl items-center justify-between gap-4 px-4 py-4">
        <Logo href="/" />
        <Switches />
      </header>
      <main id="content" class="flex flex-1 flex-col items-center px-4 pt-4 pb-16 sm:pt-10">
        <div class="flex w-full max-w-xl min-w-0 flex-col gap-5">
          <FlashMessage />
          <div class="rounded-box border border-base-300 bg-base-100 p-6 shadow-sm sm:p-9">
            <h1 class="text-2xl font-semibold tracking-tight">{screen.title}</h1>
            {screen.subtitle && <p class="mt-1.5 text-base-content/70">{screen.subtitle}</p>}
            <div class="mt-6">{children}</div>
          </div>
        </div>
      </main>
    </div>
  )
}
