import { CONFIRM_HOURS, WARNED_DAYS } from '../alerts/rules.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Layout, Link, Text } from './components.tsx'
import type { Draft } from './mail.ts'

interface Links {
  /** The alert's private page. */
  url: string
  unsubscribeUrl: string
}

/** To an address that anybody may have typed: repeats nothing of the search, so it cannot carry advertising. */
export function alertLinkEmail(
  { url, unsubscribeUrl, isConfirmed }: Links & { isConfirmed: boolean },
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const title = isConfirmed
    ? t('Ya tienes este aviso', 'You already have this alert')
    : t('Confirma tu aviso de propiedades', 'Confirm your property alert')
  const words = isConfirmed
    ? t(
        'Pediste un aviso que ya está activo. En su página puedes verlo, cambiarlo o cancelarlo:',
        'You asked for an alert that is already active. On its page you can view, change or cancel it:',
      )
    : t(
        'Para empezar a recibir las propiedades nuevas de tu búsqueda, abre este enlace y actívalo:',
        'To start getting new properties that match your search, open this link and turn it on:',
      )
  return {
    subject: title,
    unsubscribeUrl,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este mensaje porque alguien escribió este correo en Lonja. Si no fuiste tú, ignóralo.',
          'You are receiving this because someone entered this address on Lonja. If it wasn’t you, you can ignore this message.',
        )}
      >
        <Text>{words}</Text>
        <Button href={url}>
          {isConfirmed ? t('Ver mi aviso', 'View my alert') : t('Activar mi aviso', 'Turn on my alert')}
        </Button>
        {!isConfirmed && (
          <Text>
            {t(
              `Si no lo activas en ${CONFIRM_HOURS} horas, borramos tu correo y no volvemos a escribirte.`,
              `If you do not turn it on within ${CONFIRM_HOURS} hours, we erase your address and will not email you again.`,
            )}
          </Text>
        )}
      </Layout>
    ),
  }
}

interface Found {
  title: string
  price: string
  place: string
  url: string
}

/** New matches of a confirmed alert. `search` names its filters, `more` how many matches are not listed. */
export function alertMatchesEmail(
  {
    found,
    more,
    search,
    resultsUrl,
    url,
    unsubscribeUrl,
  }: Links & {
    found: Found[]
    more: number
    search: string
    resultsUrl: string
  },
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const count = found.length + more
  const title =
    count === 1
      ? t('Una propiedad para tu búsqueda', 'A property for your search')
      : t(`${count} propiedades para tu búsqueda`, `${count} properties for your search`)
  return {
    subject: `${title}: ${search}`,
    unsubscribeUrl,
    body: (
      <Layout
        lang={lang}
        title={title}
        unsubscribeUrl={unsubscribeUrl}
        reason={t(
          'Recibes este aviso porque lo activaste en Lonja.',
          'You are receiving this because you turned on this alert on Lonja.',
        )}
      >
        <Text>
          {t('Nuevas o con precio más bajo:', 'New, or with a lower price:')} {search}
        </Text>
        {found.map(one => (
          <Text key={one.url}>
            <Link href={one.url}>{one.title}</Link>
            <br />
            {one.price} · {one.place}
          </Text>
        ))}
        <Button href={resultsUrl}>
          {more > 0
            ? t(`Ver ${more} más y toda la búsqueda`, `See ${more} more and the whole search`)
            : t('Ver toda la búsqueda', 'See the whole search')}
        </Button>
        <Text>
          <Link href={url}>{t('Cambiar o cancelar este aviso', 'Change or cancel this alert')}</Link>
        </Text>
      </Layout>
    ),
  }
}

/** Nobody used its page for a year. */
export function alertEndingEmail(
  { search, url, unsubscribeUrl }: Links & { search: string },
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const title = t('¿Seguimos avisándote?', 'Keep this alert?')
  return {
    subject: title,
    unsubscribeUrl,
    body: (
      <Layout
        lang={lang}
        title={title}
        unsubscribeUrl={unsubscribeUrl}
        reason={t(
          'Recibes este mensaje porque activaste un aviso en Lonja.',
          'You are receiving this because you turned on an alert on Lonja.',
        )}
      >
        <Text>
          {t('Hace un año que tienes este aviso:', 'You have had this alert for a year:')} {search}
        </Text>
        <Text>
          {t(
            `Si todavía lo quieres, ábrelo y consérvalo. Si no, se cancela en ${WARNED_DAYS} días y borramos tu correo.`,
            `If you still want it, open it and keep it. If not, it is canceled in ${WARNED_DAYS} days and we erase your email.`,
          )}
        </Text>
        <Button href={url}>{t('Conservar mi aviso', 'Keep my alert')}</Button>
      </Layout>
    ),
  }
}
