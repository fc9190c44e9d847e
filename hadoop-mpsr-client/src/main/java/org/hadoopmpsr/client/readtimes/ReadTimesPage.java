/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.readtimes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.readtimes.Density;
import org.hadoopmpsr.core.readtimes.LinearTime;
import org.hadoopmpsr.core.readtimes.ReadTime;

/** A report as a page that needs nothing else: figures in SVG, and the words. */
public final class ReadTimesPage {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 280;
    private static final int MARGIN = 40;
    /** The most reads that are drawn. */
    private static final int MOST = 2_000;

    private static final String[] COLORS = {"#1b7837", "#2166ac", "#b35806", "#b2182b", "#762a83", "#4d4d4d"};

    private final ReadTimesReport report;
    private final List<String> words;

    private ReadTimesPage(ReadTimesReport report, List<String> words) {
        this.report = report;
        this.words = words;
    }

    /** @param words the report as text */
    public static String html(ReadTimesReport report, List<String> words) {
        return new ReadTimesPage(report, words).page();
    }

    private String page() {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Times of reads</title>\n"
                + "<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}pre{white-space:pre-wrap}"
                + "text{font-size:12px}</style></head><body>\n<h1>Times of reads</h1>\n"
                + densities()
                + lines()
                + "<pre>" + escaped(String.join("\n", words)) + "</pre>\n</body></html>\n";
    }

    /** The density of the size that is read most, and where it divides. */
    private String densities() {
        Map<Integer, List<ReadTime>> bySize = new TreeMap<>();
        report.reads()
                .forEach(r -> bySize.computeIfAbsent(63 - Long.numberOfLeadingZeros(r.bytes()), s -> new ArrayList<>())
                        .add(r));
        Map.Entry<Integer, List<ReadTime>> usual = bySize.entrySet().stream()
                .max(Comparator.comparingInt(e -> e.getValue().size()))
                .orElseThrow();
        int size = usual.getKey();
        Density density = Density.of(
                usual.getValue().stream().mapToDouble(r -> Math.log(r.nanos())).toArray());
        double most = IntStream.range(0, density.points())
                .mapToDouble(density::at)
                .max()
                .orElse(1);
        Axis x = new Axis(density.x(0), density.x(density.points() - 1), MARGIN, WIDTH - MARGIN);
        Axis y = new Axis(0, most, HEIGHT - MARGIN, MARGIN);
        StringBuilder svg = new StringBuilder(curve(density, x, y));
        for (double cut : report.found().sizes().getOrDefault(size, new double[0])) {
            svg.append(line(x.at(cut), y.at(0), x.at(cut), y.at(most), "#999", "4 3"));
        }
        svg.append(ticks(x, HEIGHT - MARGIN + 16));
        return figure(
                "Density of times, for reads of " + (1L << size) + " to " + ((2L << size) - 1)
                        + " bytes; dashed: where classes divide",
                svg.toString());
    }

    private static String curve(Density density, Axis x, Axis y) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < density.points(); i++) {
            points.append(number(x.at(density.x(i))))
                    .append(',')
                    .append(number(y.at(density.at(i))))
                    .append(' ');
        }
        return "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\"/>";
    }

    /** Reads by size and time, both logarithmic, in the colour of their class, with the line of each class. */
    private String lines() {
        List<ReadTime> reads = report.reads();
        double[] sizes = reads.stream().mapToDouble(r -> Math.log(r.bytes())).toArray();
        double[] times = reads.stream().mapToDouble(r -> Math.log(r.nanos())).toArray();
        Axis x = Axis.of(sizes, MARGIN, WIDTH - MARGIN);
        Axis y = Axis.of(times, HEIGHT - MARGIN, MARGIN);
        StringBuilder svg = new StringBuilder();
        int step = Math.max(1, reads.size() / MOST);
        for (int i = 0; i < reads.size(); i += step) {
            svg.append("<circle cx=\"")
                    .append(number(x.at(sizes[i])))
                    .append("\" cy=\"")
                    .append(number(y.at(times[i])));
            svg.append("\" r=\"1.5\" fill=\"")
                    .append(color(report.found().classOf()[i]))
                    .append("\" fill-opacity=\"0.4\"/>");
        }
        for (int c = 0; c < report.found().classes().size(); c++) {
            svg.append(line(report.found().classes().get(c).time(), x, y, color(c)));
            svg.append("<text x=\"")
                    .append(MARGIN + 8)
                    .append("\" y=\"")
                    .append(16 + 14 * c)
                    .append("\" fill=\"");
            svg.append(color(c)).append("\">");
            svg.append(escaped(report.found().classes().get(c).text())).append("</text>");
        }
        svg.append(verticalTicks(y));
        return figure("Time by size of reads, both logarithmic, with the line of each class", svg.toString());
    }

    private static String line(LinearTime time, Axis x, Axis y, String color) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i <= 50; i++) {
            double log = x.from() + (x.to() - x.from()) * i / 50;
            points.append(number(x.at(log)))
                    .append(',')
                    .append(number(y.at(Math.log(time.of(Math.exp(log))))))
                    .append(' ');
        }
        return "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + color + "\"/>";
    }

    /** Powers of ten of nanoseconds, as milliseconds. */
    private static String ticks(Axis x, int y) {
        StringBuilder svg = new StringBuilder();
        for (int power = 3; power < 12; power++) {
            double at = power * Math.log(10);
            if (at >= x.from() && at <= x.to()) {
                svg.append("<text text-anchor=\"middle\" x=\"")
                        .append(number(x.at(at)))
                        .append("\" y=\"")
                        .append(y);
                svg.append("\">").append(millis(power)).append("</text>");
            }
        }
        return svg.toString();
    }

    private static String verticalTicks(Axis y) {
        StringBuilder svg = new StringBuilder();
        for (int power = 3; power < 12; power++) {
            double at = power * Math.log(10);
            if (at >= y.from() && at <= y.to()) {
                svg.append("<text text-anchor=\"end\" x=\"")
                        .append(WIDTH - 2)
                        .append("\" y=\"")
                        .append(number(y.at(at)));
                svg.append("\">").append(millis(power)).append("</text>");
            }
        }
        return svg.toString();
    }

    private static String millis(int power) {
        return power >= 6 ? Math.round(Math.pow(10, power - 6)) + " ms" : Math.pow(10, power - 6) + " ms";
    }

    private static String line(double x1, double y1, double x2, double y2, String color, String dashes) {
        return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2)
                + "\" stroke=\"" + color + "\" stroke-dasharray=\"" + dashes + "\"/>";
    }

    private static String figure(String title, String svg) {
        return "<h2>" + escaped(title) + "</h2><svg role=\"img\" aria-label=\"" + escaped(title) + "\" width=\"" + WIDTH
                + "\" height=\"" + HEIGHT + "\">" + svg + "</svg>\n";
    }

    private static String color(int c) {
        return COLORS[c % COLORS.length];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Values on pixels. */
    private record Axis(double from, double to, double first, double last) {
        static Axis of(double[] values, double first, double last) {
            double least = java.util.Arrays.stream(values).min().orElse(0);
            double most = java.util.Arrays.stream(values).max().orElse(1);
            return new Axis(least - 0.1, most + 0.1, first, last);
        }

        double at(double value) {
            double share = (value - from) / Math.max(1e-9, to - from);
            return first + Math.max(0, Math.min(1, share)) * (last - first);
        }
    }
}
