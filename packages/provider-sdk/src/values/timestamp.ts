// SPDX-License-Identifier: Apache-2.0
import { validator } from "../validators/validator.ts";
import { textType, type TextType } from "./text-type.ts";

/** A time in RFC 3339 format: `2026-01-02T03:04:05Z`. Texts for the same moment in different time zones are equivalent. */
export const timestamp: TextType = textType({
  validators: [validator("must be a time such as 2026-01-02T03:04:05Z (RFC 3339)", (text: string) => moment(text) !== undefined)],
  equivalent: (a, b) => {
    const [one, other] = [moment(a), moment(b)];
    return one !== undefined && one === other;
  },
});

const form = /^(\d{4}-\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Returns the moment: milliseconds since 1970 rounded down to the second, then the fraction without trailing zeros. */
function moment(text: string): string | undefined {
  const [, month, day, , , , fraction = ""] = form.exec(text) ?? [];
  if (month === undefined || day === undefined) return undefined;
  // JavaScript accepts day 31 in every month, and turns it into a day of the next month.
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  const milliseconds = Date.parse(text.replace(/\.\d+/, ""));
  return Number(day) > last || Number.isNaN(milliseconds) ? undefined : `${milliseconds}.${fraction.replace(/0+$/, "")}`;
}
