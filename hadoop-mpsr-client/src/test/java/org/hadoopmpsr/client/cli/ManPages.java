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
package org.hadoopmpsr.client.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual pages of all commands, made of the same model as their help. */
final class ManPages {
    private static final String PROGRAM = "hdfs ";

    private final Map<String, String> pages = new TreeMap<>();

    private ManPages() {}

    /** The pages by file name, such as {@code hdfs-mpsr-dataset.1}. */
    static Map<String, String> of(CommandLine commandLine) {
        ManPages found = new ManPages();
        found.add(commandLine.getCommandSpec());
        return found.pages;
    }

    private void add(CommandSpec spec) {
        pages.put(fileName(spec), page(spec));
        commands(spec).values().forEach(this::add);
    }

    private static Map<String, CommandSpec> commands(CommandSpec spec) {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        spec.subcommands().forEach((name, command) -> commands.put(name, command.getCommandSpec()));
        commands.remove("help");
        return commands;
    }

    private static String name(CommandSpec spec) {
        return PROGRAM + spec.qualifiedName();
    }

    private static String fileName(CommandSpec spec) {
        return name(spec).replace(' ', '-') + ".1";
    }

    private static String page(CommandSpec spec) {
        String description = String.join(" ", spec.usageMessage().description());
        StringBuilder page = new StringBuilder();
        page.append(".\\\" Made of the commands' own help; a test of hadoop-mpsr-client writes it anew.\n");
        page.append(".TH ").append(quoted(name(spec).replace(' ', '-').toUpperCase(java.util.Locale.ROOT)));
        page.append(" 1 \"\" \"hadoop-mpsr\" \"Commands of HDFS\"\n");
        section(page, "NAME", name(spec).replace(' ', '-') + " - " + firstSentence(description));
        section(page, "SYNOPSIS", PROGRAM + synopsis(spec));
        section(page, "DESCRIPTION", description);
        parameters(page, spec.positionalParameters());
        options(page, spec.options());
        Map<String, CommandSpec> commands = commands(spec);
        if (!commands.isEmpty()) {
            page.append(".SH COMMANDS\n");
            commands.forEach((name, command) ->
                    entry(page, name, List.of(command.usageMessage().description())));
        }
        exitCodes(page, spec);
        return page.toString();
    }

    private static String synopsis(CommandSpec spec) {
        Help.ColorScheme plain = Help.defaultColorScheme(Help.Ansi.OFF);
        return new Help(spec, plain).synopsis(0).replaceAll("\\s+", " ").trim();
    }

    private static void parameters(StringBuilder page, List<PositionalParamSpec> parameters) {
        if (!parameters.isEmpty()) {
            page.append(".SH ARGUMENTS\n");
            parameters.forEach(p -> entry(page, p.paramLabel(), List.of(p.description())));
        }
    }

    private static void options(StringBuilder page, List<OptionSpec> options) {
        page.append(".SH OPTIONS\n");
        for (OptionSpec option : options) {
            String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
            entry(page, String.join(", ", option.names()) + value, List.of(option.description()));
        }
    }

    private static void exitCodes(StringBuilder page, CommandSpec spec) {
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        page.append(".SH \"EXIT STATUS\"\n");
        if (codes.isEmpty()) {
            codes = Map.of();
            entry(page, "0", List.of("The command has done its work."));
            entry(page, "1", List.of("It failed, or found something wrong."));
            entry(page, "2", List.of("The command line cannot be read."));
        }
        codes.forEach((code, meaning) -> entry(page, code, List.of(meaning)));
    }

    private static String firstSentence(String description) {
        int end = description.indexOf(". ");
        String first = end < 0 ? description : description.substring(0, end);
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    private static void section(StringBuilder page, String title, String text) {
        page.append(".SH ").append(title).append('\n').append(escaped(text)).append('\n');
    }

    private static void entry(StringBuilder page, String term, List<String> text) {
        page.append(".TP\n.B ").append(escaped(term)).append('\n');
        page.append(escaped(String.join(" ", text))).append('\n');
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    /** As roff takes it: a line must not begin with a dot or a quote, and a hyphen is one that can be copied. */
    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
