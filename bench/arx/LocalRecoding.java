import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * Anonymizes a CSV file with ARX 3.9 by local recoding and writes a CSV file.
 *
 * <pre>LocalRecoding --table T --out O --k 5 [--distinct 2] [--t 0.2] --qi NAME=FILE … [--sensitive NAME …]</pre>
 *
 * The set-up is that of ARX's own graphical program for local recoding in 100 steps: the loss metric with all weight on
 * suppression, a suppression limit of 99 %, then the suppressed records again and again, at least one in a hundred of
 * them in each step. Records that are left keep `*` in every quasi-identifier.
 */
public class LocalRecoding {

    private static final int STEPS = 100;

    private String table;
    private String out;
    private int k;
    private int distinct;
    private double t = -1d;
    private final Map<String, String> hierarchies = new LinkedHashMap<>();
    private final List<String> sensitive = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        new LocalRecoding(arguments).run();
    }

    private LocalRecoding(String[] arguments) {
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            String value = arguments[at + 1];
            switch (arguments[at]) {
                case "--table" -> table = value;
                case "--out" -> out = value;
                case "--k" -> k = Integer.parseInt(value);
                case "--distinct" -> distinct = Integer.parseInt(value);
                case "--t" -> t = Double.parseDouble(value);
                case "--qi" -> hierarchies.put(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
                case "--sensitive" -> sensitive.add(value);
                default -> throw new IllegalArgumentException(arguments[at]);
            }
        }
    }

    private void run() throws Exception {
        Data data = Data.create(table, StandardCharsets.UTF_8, ',');
        DataHandle input = data.getHandle();
        for (int column = 0; column < input.getNumColumns(); column++) {
            data.getDefinition().setAttributeType(input.getAttributeName(column), AttributeType.INSENSITIVE_ATTRIBUTE);
        }
        for (Map.Entry<String, String> column : hierarchies.entrySet()) {
            Hierarchy hierarchy = Hierarchy.create(column.getValue(), StandardCharsets.UTF_8, ';');
            data.getDefinition().setAttributeType(column.getKey(), AttributeType.QUASI_IDENTIFYING_ATTRIBUTE);
            data.getDefinition().setHierarchy(column.getKey(), hierarchy);
        }
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(k));
        for (String column : sensitive) {
            data.getDefinition().setAttributeType(column, AttributeType.SENSITIVE_ATTRIBUTE);
            if (distinct > 1) {
                configuration.addPrivacyModel(new DistinctLDiversity(column, distinct));
            }
            if (t >= 0d) {
                configuration.addPrivacyModel(new EqualDistanceTCloseness(column, t));
            }
        }
        configuration.setSuppressionLimit(1d - 1d / STEPS);
        configuration.setQualityModel(Metric.createLossMetric(0d));
        ARXResult result = new ARXAnonymizer().anonymize(data, configuration);
        if (!result.isResultAvailable()) {
            System.err.println("ARX found no solution");
            System.exit(1);
        }
        DataHandle output = result.getOutput(false);
        result.optimizeIterativeFast(output, 1d / STEPS);
        output.save(out, ',');
    }
}
