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
package org.hadoopmpsr.core.sampling;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Root mean squares of the errors of a share of bytes, of samples of one size. */
record ErrorsOfSamples(int size, double byNumber, double bySize) {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 320;
    private static final int LEFT = 70;
    private static final int TOP = 20;
    private static final int BOTTOM = 50;

    /** A figure with both axes in powers of ten. */
    static String svg(List<ErrorsOfSamples> all) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH,
                HEIGHT));
        svg.append("<title>Error of the share of bytes, by the size of the sample</title>\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        for (ErrorsOfSamples one : all) {
            text(svg, x(all, one.size()), HEIGHT - BOTTOM + 18, "middle", "#222", Integer.toString(one.size()));
        }
        for (double error : new double[] {0.001, 0.01, 0.1}) {
            text(svg, LEFT - 8, y(error) + 4, "end", "#222", String.format(Locale.ROOT, "%.1f %%", 100 * error));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                    LEFT,
                    WIDTH - 120,
                    y(error),
                    y(error)));
        }
        text(svg, (WIDTH - 120 + LEFT) / 2.0, HEIGHT - 10, "middle", "#222", "files or draws in the sample");
        line(svg, all, ErrorsOfSamples::byNumber, "#c0504d", "by number");
        line(svg, all, ErrorsOfSamples::bySize, "#1f77b4", "by size");
        return svg.append("</svg>\n").toString();
    }

    private static void line(
            StringBuilder svg,
            List<ErrorsOfSamples> all,
            ToDoubleFunction<ErrorsOfSamples> error,
            String colour,
            String name) {
        StringBuilder points = new StringBuilder();
        for (ErrorsOfSamples one : all) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(all, one.size()), y(error.applyAsDouble(one))));
        }
        svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"")
                .append(colour)
                .append("\" points=\"")
                .append(points.toString().strip())
                .append("\"/>\n");
        ErrorsOfSamples last = all.get(all.size() - 1);
        text(svg, x(all, last.size()) + 8, y(error.applyAsDouble(last)) + 4, "start", colour, name);
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String colour, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                colour,
                text));
    }

    private static double x(List<ErrorsOfSamples> all, int size) {
        double least = Math.log10(all.get(0).size());
        double most = Math.log10(all.get(all.size() - 1).size());
        return LEFT + (Math.log10(size) - least) / (most - least) * (WIDTH - 120 - LEFT);
    }

    /** From 0.1 % below to 100 % above. */
    private static double y(double error) {
        return TOP - Math.max(-3.0, Math.log10(error)) / 3 * (HEIGHT - TOP - BOTTOM);
    }
}
