import type { None, Phrases } from './i18n.ts'

/** Issues of agents who cooperate. */
export interface CooperationParams {
  step_refused: None
  own_listing: None
  own_need: None
  already_offered: None
  already_proposed: None
  too_many_proposals: { max: number }
  thread_full: { max: number }
  no_lead: None
  buyer_not_identified: None
}

export const COOPERATION_WORDS: Phrases<CooperationParams> = {
  step_refused: {
    en: 'This step is no longer possible. Check the current status.',
    es: 'Este paso ya no es posible. Revisa el estatus actual.',
  },
  own_listing: { en: 'This listing is yours.', es: 'Esta propiedad es tuya.' },
  own_need: { en: 'This need is yours.', es: 'Esta búsqueda es tuya.' },
  already_offered: {
    en: 'You have already offered this listing to this need.',
    es: 'Ya ofreciste esta propiedad a esta búsqueda.',
  },
  already_proposed: {
    en: 'You already have an open cooperation about this listing for this client.',
    es: 'Ya tienes una cooperación abierta por esta propiedad para este cliente.',
  },
  too_many_proposals: {
    en: ({ max }) => `You have ${max} unanswered proposals: wait for a response, or withdraw one.`,
    es: ({ max }) => `Tienes ${max} propuestas sin respuesta: espera una respuesta o retira alguna.`,
  },
  thread_full: {
    en: ({ max }) => `This cooperation has reached its limit of ${max}.`,
    es: ({ max }) => `Una cooperación puede tener ${max} de estos.`,
  },
  no_lead: {
    en: 'Link the lead of your client first.',
    es: 'Vincula primero el prospecto de tu cliente.',
  },
  buyer_not_identified: {
    en: 'The buyer’s identification must be accepted before a showing.',
    es: 'No hay visita sin la identificación aceptada del comprador.',
  },
}
