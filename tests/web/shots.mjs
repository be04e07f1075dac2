/** Every view at two widths and in two themes, to look at. Run by hand: node shots.mjs */

import { Browser, Model, Server, enter, say, shoot, signIn } from "./harness.js";

const model = await Model.start();
const server = await Server.start({ config: model.config });
const browser = await Browser.start();
const sizes = [["360", 360, 740], ["1280", 1280, 800]];
try {
  for (const [size, width, height] of sizes) {
    for (const theme of ["light", "dark"]) {
      const page = await browser.open(server, { viewport: { width, height }, colorScheme: theme });
      const name = (view) => `${view}-${size}-${theme}`;
      await page.goto(`${server.origin}/`);
      await page.locator("#code").waitFor();
      await shoot(page, name("sign-in"));
      await enter(page, server, "/phone?new");
      await page.locator(".welcome").waitFor();
      await shoot(page, name("phone-empty"));
      await say(page, "Could you wake me for the early train tomorrow? And what should I pack for two days by the sea?");
      const first = await model.asked();
      first.say("For the sea in November, pack light but warm:\n\n- a **wind jacket** and a thick jumper\n- shoes that may get wet\n- *something to read* for the evenings\n\nThe weather page is https://example.org/weather, and in code it is `sea(2)`. I will put the alarm on your phone now.");
      first.call("c1", { action: "alarm", time: "05:40", days: ["tue"], label: "Early train", summary: "Wake you at 5:40 for the early train" });
      await page.locator("article.card.pending").waitFor();
      await shoot(page, name("phone-card"));
      await page.getByRole("button", { name: "Confirm" }).click();
      const second = await model.asked();
      second.say("Done. It rings at **5:40**, so that there is time for");
      await page.getByText("there is time for").waitFor();
      await shoot(page, name("phone-speaking"));
      second.say(" a coffee.");
      second.finish();
      await page.getByText("a coffee.").waitFor();
      await page.goto(`${server.origin}/`);
      await page.getByText("a coffee.").waitFor();
      await shoot(page, name("chat"));
      if (page.faults.length) console.log(name(""), page.faults, page.strangers);
      await page.context().close();
    }
  }
} finally {
  await browser.end();
  await server.end();
  model.end();
}
