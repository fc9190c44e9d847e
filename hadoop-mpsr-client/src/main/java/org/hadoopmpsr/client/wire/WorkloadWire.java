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
package org.hadoopmpsr.client.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.client.proto.MpsrProtos.ColumnNamesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.WorkloadAmountProto;
import org.hadoopmpsr.client.proto.MpsrProtos.WorkloadClassProto;
import org.hadoopmpsr.client.proto.MpsrProtos.WorkloadGroupProto;
import org.hadoopmpsr.client.proto.MpsrProtos.WorkloadTermProto;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.Asked;
import org.hadoopmpsr.core.workload.AskedShape;
import org.hadoopmpsr.core.workload.GroupTally;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.QueryShape;
import org.hadoopmpsr.core.workload.QueryTally;
import org.hadoopmpsr.core.workload.Term;

/** Classes of queries in messages. */
public final class WorkloadWire {

    private WorkloadWire() {}

    /** The message of a class. */
    public static WorkloadClassProto of(QueryClass queries) {
        QueryTally tally = queries.tally();
        WorkloadClassProto.Builder proto = WorkloadClassProto.newBuilder()
                .setQueries(tally.queries())
                .setOver(queries.over())
                .setRepeats(tally.repeats())
                .setStock(tally.stock())
                .setFirst(tally.firstMs())
                .setLast(tally.lastMs())
                .setPlanned(amount(tally.planned()))
                .setAll(amount(tally.all()));
        List<Term> terms = queries.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            proto.addTerm(term(terms.get(i), tally.measure(i)));
        }
        List<String> columns = queries.shape().columns();
        if (columns != null) {
            proto.setColumns(ColumnNamesProto.newBuilder().addAllName(columns));
        }
        tally.groups().forEach((name, group) -> proto.addGroup(group(name, group)));
        Asked last = tally.last();
        return last == null || last.example() == null
                ? proto.build()
                : proto.setExample(last.example()).build();
    }

    private static WorkloadTermProto term(Term term, double measure) {
        WorkloadTermProto.Builder proto = WorkloadTermProto.newBuilder()
                .addAllColumn(term.columns())
                .setOperator(WorkloadTermProto.Operator.valueOf(term.operator().name()))
                .setMagnitude(term.magnitude());
        return Double.isNaN(measure) ? proto.build() : proto.setMeasure(measure).build();
    }

    private static WorkloadGroupProto group(String name, GroupTally group) {
        return WorkloadGroupProto.newBuilder()
                .setName(name)
                .setChosen(group.chosen())
                .setEvaluated(group.evaluated())
                .setAtLeast(group.atLeast())
                .setFiles(group.files())
                .setBytes(group.bytes())
                .setCostMs(group.costMs())
                .build();
    }

    private static WorkloadAmountProto amount(Amount amount) {
        WorkloadAmountProto.Builder proto =
                WorkloadAmountProto.newBuilder().setFiles(amount.files()).setBytes(amount.bytes());
        return amount.records() < 0
                ? proto.build()
                : proto.setRecords(amount.records()).build();
    }

    /** The class of a message. */
    public static QueryClass queries(WorkloadClassProto proto) {
        List<Term> terms = new ArrayList<>();
        List<Double> measures = new ArrayList<>();
        proto.getTermList().forEach(term -> {
            terms.add(new Term(
                    term.getColumnList(),
                    Term.Operator.valueOf(term.getOperator().name()),
                    term.getMagnitude()));
            measures.add(term.hasMeasure() ? term.getMeasure() * proto.getQueries() : Double.NaN);
        });
        Map<String, GroupTally> groups = new TreeMap<>();
        proto.getGroupList()
                .forEach(group -> groups.put(
                        group.getName(),
                        new GroupTally(
                                group.getChosen(),
                                group.getEvaluated(),
                                group.getAtLeast(),
                                group.getFiles(),
                                group.getBytes(),
                                group.getCostMs())));
        QueryShape shape =
                new QueryShape(terms, proto.hasColumns() ? proto.getColumns().getNameList() : null);
        QueryTally tally = new QueryTally(
                proto.getQueries(),
                proto.getRepeats(),
                proto.getStock(),
                proto.getFirst(),
                proto.getLast(),
                measures,
                amount(proto.getPlanned()),
                amount(proto.getAll()),
                groups,
                0,
                0,
                proto.hasExample() ? Asked.example(new AskedShape(shape, measures), proto.getExample()) : null);
        return new QueryClass(shape, proto.getOver(), tally);
    }

    private static Amount amount(WorkloadAmountProto proto) {
        return new Amount(proto.getFiles(), proto.getBytes(), proto.hasRecords() ? proto.getRecords() : -1);
    }
}
