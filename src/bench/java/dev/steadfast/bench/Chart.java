package dev.steadfast.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws the chart of README from the JSON of a run. */
final class Chart {
  private static final int WIDTH = 760;
  private static final int LABEL = 170;
  private static final int BAR = 18;
  private static final int LINE = 26;
  private static final int VALUE = 90;

  /** One panel: a row of a table, a bar for each contender. */
  private record Panel(String title, String unit, String group, String what) {}

  private Chart() {}

  static void draw(Path json, Path svg) throws IOException {
    JsonNode run = new ObjectMapper().readTree(json.toFile());
    String thousand = PushScenarios.name(1_000, Expect.NEW, Workload.Shape.OWN);
    List<Panel> panels =
        List.of(
            new Panel("1,000 new operations, ms (shorter is better)", "ms", "push", thousand),
            new Panel("The same, 0.5 ms each way to the database", "ms", "network", thousand),
            new Panel(
                "64 clients, operations a second (longer is better)",
                "",
                "clients",
                ClientScenarios.name(64)));
    StringBuilder body = new StringBuilder();
    int y = 10;
    for (Panel panel : panels) {
      y = panel(body, y, panel, run.get("figures"));
    }
    Files.writeString(
        svg,
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" aria-label="Steadfast and its peers, measured">
        <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f }
        .title { font-weight: 600 }
        rect { fill: #b8c0cc }
        .ours { fill: #2f6f4f }
        @media (prefers-color-scheme: dark) { text { fill: #d0d7de } rect { fill: #57606a } .ours { fill: #56b487 } }
        </style>
        %3$s</svg>
        """
            .formatted(WIDTH, y, body));
  }

  private static int panel(StringBuilder body, int top, Panel panel, JsonNode figures) {
    List<JsonNode> bars = new ArrayList<>();
    double most = 0;
    for (JsonNode figure : figures) {
      if (figure.get("group").asText().equals(panel.group())
          && figure.get("what").asText().equals(panel.what())) {
        bars.add(figure);
        most = Math.max(most, figure.at("/spread/median").asDouble());
      }
    }
    int y = top + BAR;
    body.append("<text class=\"title\" x=\"0\" y=\"%d\">%s</text>\n".formatted(y, panel.title()));
    for (JsonNode bar : bars) {
      y += LINE;
      String contender = bar.get("contender").asText();
      double median = bar.at("/spread/median").asDouble();
      long length = Math.max(1, Math.round((WIDTH - LABEL - VALUE) * median / most));
      String ours = contender.startsWith("steadfast") ? " class=\"ours\"" : "";
      body.append(
          """
          <text x="%d" y="%d" text-anchor="end">%s</text>
          <rect%s x="%d" y="%d" width="%d" height="%d" rx="2"/>
          <text x="%d" y="%d">%s %s</text>
          """
              .formatted(
                  LABEL - 10,
                  y,
                  contender,
                  ours,
                  LABEL,
                  y - BAR + 4,
                  length,
                  BAR,
                  LABEL + length + 8,
                  y,
                  Report.number(median),
                  panel.unit()));
    }
    return y + LINE;
  }
}
