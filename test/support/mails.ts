import type { Platform } from './platform';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** From now on the platform's mails are recorded instead of sent; `fail` makes sending fail. */
export function recordMails({ container }: Platform): { sent: Mail[]; fail: boolean } {
  const recorder = { sent: [] as Mail[], fail: false };
  const send = async (mail: Mail) => {
    if (recorder.fail) throw new Error('the mail server is unreachable');
    recorder.sent.push(mail);
  };
  Object.assign(container.mailer, { send });
  return recorder;
}
