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
package org.hadoopmpsr.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;
import java.io.PrintWriter;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(packages = "org.hadoopmpsr", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Spark and Connect bring the client's half of HDFS only; there the failover proxies lie under server.namenode.ha. */
    @ArchTest
    static final ArchRule THE_CLIENT_NEEDS_NO_SERVER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hadoopmpsr.blockmanager..",
                    "org.hadoopmpsr.namenode..",
                    "org.hadoopmpsr.ingest..",
                    "org.hadoopmpsr.spark..",
                    "org.apache.hadoop.hdfs.server.namenode",
                    "org.apache.hadoop.hdfs.server.blockmanagement..",
                    "org.apache.kafka..",
                    "org.apache.spark..");

    @ArchTest
    static final ArchRule ONLY_THE_COMMANDS_USE_PICOCLI = noClasses()
            .that()
            .resideOutsideOfPackage("org.hadoopmpsr.client.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "org.hadoopmpsr.client.cli..");

    /** Which prints names of others in printable form. */
    @ArchTest
    static final ArchRule COMMANDS_PRINT_BY_ONE_CLASS = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.client.cli..")
            .and()
            .doNotHaveSimpleName("Output")
            .and()
            .doNotHaveSimpleName("MpsrCommand")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(PrintWriter.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(PrintStream.class);

    /** Which logs names of others in printable form. */
    @ArchTest
    static final ArchRule LOGGERS_COME_FROM_ONE_CLASS = noClasses()
            .that()
            .doNotHaveSimpleName("PrintableLog")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(LoggerFactory.class);

    @ArchTest
    static final ArchRule NO_CIRCLE_OF_PACKAGES =
            slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles();

    @ArchTest
    static void packagesHoldAtMostTwentyClasses(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting())))
                .isNotEmpty()
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(20));
    }
}
