// SPDX-License-Identifier: Apache-2.0
import { framed, framework, mocked, required, sdkv2, simple, step, type PickedCase } from "./configuration.ts";

const triggered = (more = ""): string =>
  `${required("tfcoremock")}variable "v" {\n type = number\n}\nresource "terraform_data" "d" {\n triggers_replace = var.v\n${more}}\n`;

const destroyed = ' provisioner "local-exec" {\n when = destroy\n command = "test -n ${self.id} && test -n ${path.module}"\n}\n';

/** Changes that wait for other changes, also through the call of a module or the configuration of a provider. */
export const waitsCases: readonly PickedCase[] = [
  ...["", destroyed].map((more): PickedCase => ({
    name: `a replacement${more === "" ? "" : " with a provisioner"} in a module whose for_each refers to an object that changes`,
    steps: [1, 2].map((number) =>
      mocked(
        `${simple("a", `number = ${number}`)}module "m" {\n source = "./m"\n for_each = toset([tfcoremock_simple_resource.a.id])\n v = tfcoremock_simple_resource.a.number\n}\n`,
        { "m/main.tf": triggered(more) },
      ),
    ),
  })),
  {
    name: "the destruction of an object, with provisioners of a removed block, in a module whose for_each refers to an object that changes",
    steps: [1, 2].map((number) =>
      mocked(
        `${simple("a", `number = ${number}`)}module "m" {\n source = "./m"\n for_each = toset([tfcoremock_simple_resource.a.id])\n v = tfcoremock_simple_resource.a.number\n}\n`,
        {
          "m/main.tf":
            number === 1
              ? triggered()
              : `variable "v" {\n type = number\n}\nremoved {\n from = terraform_data.d\n lifecycle {\n destroy = true\n}\n${destroyed}}\n`,
        },
      ),
    ),
  },
  ...(["input", "triggers_replace"] as const).flatMap((argument) =>
    ["", "lifecycle {\n create_before_destroy = true\n}\n"].flatMap((rule) =>
      [undefined, "a", "b"].map((id): PickedCase => ({
        name: `an object is ${id === undefined ? "destroyed" : id === "a" ? "updated" : "replaced"} by a provider whose configuration refers to an object that ${argument} changes${rule === "" ? "" : ", with create_before_destroy"}`,
        steps: ["one", "two"].map((text, index) => {
          const value = `terraform_data.t.${argument === "input" ? "output" : "id"}`;
          return step(
            `${required("framework")}${framework.replace("{\n", `{\n alias = "other"\n token = ${value}\n`)}resource "terraform_data" "t" {\n ${argument} = "${text}"\n${rule}}\n${
              index === 1 && id === undefined
                ? ""
                : `resource "framework_record" "r" {\n provider = framework.other\n name = "a"\n kind = "${index === 0 ? "a" : id!}"\n caseless = ${value}\n}\n`
            }`,
          );
        }),
      })),
    ),
  ),
  ...(["normal", "destroy"] as const).map((mode): PickedCase => ({
    name: `${mode === "normal" ? "a replacement" : "a destroy plan"} of objects whose providers' configurations refer to objects of other providers`,
    steps: ["one", "two"].map((text, index) =>
      step(
        `${required("framework", "sdkv2")}${framework.replace("{\n", "{\n token = terraform_data.t[0].id\n")}${sdkv2.replace("{\n", '{\n region = "eu${substr(module.m.name, 0, 0)}"\n')}resource "terraform_data" "t" {\n count = ${2 - index}\n triggers_replace = "${text}"\n}\nmodule "m" {\n source = "./m"\n name = terraform_data.t[0].id\n}\nresource "sdkv2_note" "n" {\n text = "${text}"\n}\n`,
        index === 0 ? {} : { mode },
        {
          "m/main.tf": `${required("framework")}variable "name" {\n type = string\n}\nresource "framework_record" "r" {\n name = "r\${substr(var.name, 0, 0)}"\n}\noutput "name" {\n value = framework_record.r.name\n}\n`,
        },
      ),
    ),
  })),
  {
    name: "a replacement in a module whose for_each refers to an object that changes, and that has provider_meta",
    steps: [1, 2].map((number) =>
      framed(
        `${simple("a", `number = ${number}`)}module "m" {\n source = "./m"\n for_each = toset([tfcoremock_simple_resource.a.id])\n name = "n\${tfcoremock_simple_resource.a.number}"\n}\n`,
        {},
        {
          "m/main.tf": `${required("framework").replace("}\n}", `}\n provider_meta "framework" {\n module = "m"\n}\n}`)}variable "name" {\n type = string\n}\nresource "framework_record" "r" {\n name = "r"\n kind = var.name\n}\n`,
        },
      ),
    ),
  },
];
