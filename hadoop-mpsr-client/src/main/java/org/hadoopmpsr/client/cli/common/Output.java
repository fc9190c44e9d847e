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
package org.hadoopmpsr.client.cli.common;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.text.PrintableText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where commands print. Names and messages of others come out in printable form, so that none controls a terminal. */
public final class Output {
    private final PrintWriter out;

    /** Prints to a writer, which stays open. */
    public Output(PrintWriter out) {
        this.out = out;
    }

    /** The standard output of a command. */
    public static Output of(CommandSpec spec) {
        return new Output(spec.commandLine().getOut());
    }

    /** The standard error of a command. */
    public static Output ofErrors(CommandSpec spec) {
        return new Output(spec.commandLine().getErr());
    }

    /** One line. */
    public void line(String text) {
        out.println(PrintableText.of(text));
    }

    /** One line of fields with tabs between, for programs that read lines. */
    public void fields(String... fields) {
        out.println(Arrays.stream(fields).map(PrintableText::of).collect(Collectors.joining("\t")));
    }

    /** A message, with the list that it may hold on lines of their own. */
    public void message(String text) {
        out.println(PrintableText.ofMessage(text));
    }

    /** Prints a table. */
    public void table(Table table) {
        out.print(table);
    }

    /** One line of JSON, which has names as they are. */
    public void json(@Nullable Object value) {
        out.println(Json.text(value));
    }

    /** Sends what is printed so far to where it goes, before another program prints there. */
    public void flush() {
        out.flush();
    }

    /** A text of several lines that holds nothing of others. */
    public void page(String text) {
        out.print(text);
    }
}
